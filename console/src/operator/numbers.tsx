import styles from "./numbers.module.css";

interface NumbersProps {
  total: number;
  used: number;
  resting: number;
  orphaned: number;
  free: number;
}

/** The most squares; in a larger pool each square stands for several numbers. */
const most = 240;

/** The use of a pool's numbers as squares; the counts are beside them as text. */
export function Numbers({ total, used, resting, orphaned, free }: NumbersProps) {
  // Orphaned numbers are included in the used ones.
  const kinds = [
    { name: "used", count: used - orphaned },
    { name: "orphaned", count: orphaned },
    { name: "resting", count: resting },
    { name: "free", count: free },
  ] as const;
  const each = Math.max(1, Math.ceil(total / most));
  return (
    <div className={styles.map}>
      <div className={styles.squares} aria-hidden="true">
        {kinds.flatMap(({ name, count }) =>
          // Rounded up, so that even a single number has a square.
          Array.from({ length: Math.ceil(count / each) }, (_, n) => `${name} ${n}`).map((key) => (
            <span key={key} className={styles[name]} title={name} />
          )),
        )}
      </div>
      <p>
        {kinds
          .filter(({ count }) => count > 0)
          .map(({ name, count }) => `${count} ${name}`)
          .join(", ")}{" "}
        <span className="quiet">
          of {total}
          {each > 1 && `; a square is up to ${each}`}
        </span>
      </p>
    </div>
  );
}
