import { useMutation, useQueryClient } from "@tanstack/react-query";
import { send } from "../api/client.ts";
import type { Status } from "../generated/answers.ts";
import { Do } from "../orders/do.tsx";
import { useSignedIn } from "../session/session.ts";
import { CommandLine } from "../ui/copy.tsx";
import { Fault } from "../ui/page.tsx";
import { For } from "../ui/time.tsx";
import { type Attention, type Card, cardsOf, remedyOf } from "./attention.ts";
import styles from "./inbox.module.css";
import { Named } from "./late.tsx";

/** What needs an operator: a card for each cause, the most severe first. The same list as `slipway status`. */
export function Inbox({ attention, more_attention }: Status) {
  if (attention.length === 0) return <p className={styles.clear}>Nothing needs you.</p>;
  return (
    <section aria-label="What needs attention">
      <ul className={styles.cards}>
        {cardsOf(attention).map((card) => (
          <li key={card.key}>
            <OfCause card={card} />
          </li>
        ))}
      </ul>
      {more_attention > 0 && <p className="quiet">and {more_attention} more</p>}
    </section>
  );
}

function OfCause({ card: { title, advice, isSevere, entries } }: { card: Card }) {
  return (
    <article className={`card ${styles.cause} ${isSevere ? styles.severe : styles.mild}`}>
      <h2>{title}</h2>
      <ul className={styles.entries}>
        {entries.map((entry) => (
          <li key={`${entry.kind} ${entry.id}`}>
            <Entry entry={entry} />
          </li>
        ))}
      </ul>
      <p className="quiet">{advice}</p>
    </article>
  );
}

function Entry({ entry }: { entry: Attention }) {
  const { message, since, command } = entry;
  return (
    <div className={styles.entry}>
      <div>
        <p>{message}</p>
        <p className="quiet">
          <Named {...entry} /> · for <For since={since} />
        </p>
      </div>
      <div className={styles.then}>
        <Remedy entry={entry} />
        <CommandLine line={command} />
      </div>
    </div>
  );
}

/** The button that does what the command does. */
function Remedy({ entry }: { entry: Attention }) {
  const { mayChange } = useSignedIn();
  const queries = useQueryClient();
  const { isPending, isSuccess, mutate, error } = useMutation({
    mutationFn: (path: string) => send<unknown>("POST", path, {}),
    onSuccess: () => queries.invalidateQueries(),
  });
  const remedy = remedyOf(entry);
  if (!remedy || !mayChange) return null;
  return (
    <>
      <Do name={remedy.name} isPending={isPending || isSuccess} act={() => mutate(remedy.path)} />
      {error && <Fault error={error} />}
    </>
  );
}
