import { useId, useRef } from "react";
import styles from "./actions.module.css";

interface DoProps {
  name: string;
  isPending: boolean;
  act(): void;
  /** A question to confirm, where data is lost. */
  question?: string | undefined;
}

/** A button that acts at once, or after a confirmation. */
export function Do({ name, isPending, act, question }: DoProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  if (question === undefined)
    return (
      <button type="button" disabled={isPending} onClick={act}>
        {name}
      </button>
    );
  return (
    <>
      <button type="button" disabled={isPending} onClick={() => dialog.current?.showModal()}>
        {name} …
      </button>
      <dialog ref={dialog} aria-labelledby={title}>
        <form method="dialog" className={styles.form} onSubmit={act}>
          <h2 id={title}>{question}</h2>
          <div className={styles.answers}>
            <button type="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
            <button type="submit" className="danger">
              {name}
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
