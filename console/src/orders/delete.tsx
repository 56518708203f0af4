import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { send } from "../api/client.ts";
import { Fault } from "../ui/page.tsx";
import styles from "./actions.module.css";

interface DeleteProps {
  /** What the object is, in words. */
  one: string;
  name: string;
  /** The object's path in the API. */
  path: string;
  /** What is lost with the object. */
  goes: string;
  /** The page to open after the deletion. */
  back: string;
}

/** Shows what is lost, and asks the person to type the name. */
export function Delete({ one, name, path, goes, back }: DeleteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const title = useId();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const removal = useMutation({
    mutationFn: () => send<unknown>("DELETE", path),
    async onSuccess() {
      dialog.current?.close();
      // The deleted object is not read again.
      await queries.invalidateQueries({
        predicate: ({ queryKey: [at] }) => typeof at !== "string" || !at.startsWith(path),
      });
      await navigate(back);
    },
  });
  return (
    <>
      <button type="button" className="danger" onClick={() => dialog.current?.showModal()}>
        Delete …
      </button>
      <dialog ref={dialog} aria-labelledby={title} onClose={() => setTyped("")}>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (typed === name) removal.mutate();
          }}
        >
          <h2 id={title}>
            Delete {one} {name}?
          </h2>
          <p>{goes}</p>
          <label className={styles.field}>
            Type {name} to delete it
            <input
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              autoComplete="off"
            />
          </label>
          {removal.error && <Fault error={removal.error} />}
          <div className={styles.answers}>
            <button type="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
            <button type="submit" className="danger" disabled={typed !== name || removal.isPending}>
              Delete {one}
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
