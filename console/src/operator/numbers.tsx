import styles from "./numbers.module.css";

interface NumbersProps {
  total: number;
  used: number;
  resting: number;
  orphaned: number;
  free: number;
}

/** So many squares at most: of a larger pool each stands for several numbers. */
const most = 240;

/** How the numbers of a pool are taken, as squares for the eye; the counts stand beside them in words. */
export function Numbers({ total, used, resting, orphaned, free }: NumbersProps) {
  // What is orphaned is counted among what is used.
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
          // One that is left is seen, however many a square stands for.
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
