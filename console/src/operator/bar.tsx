import styles from "./bar.module.css";

/** How much of a whole is in use, rests or is away, and what is free. */
export function Bar({
  total,
  used,
  unavailable = 0,
}: {
  total: number;
  used: number;
  unavailable?: number;
}) {
  const share = (count: number) => `${total > 0 ? (count / total) * 100 : 0}%`;
  return (
    <span className="row">
      <span className={styles.bar} aria-hidden="true">
        <span className={styles.used} style={{ inlineSize: share(used) }} />
        <span className={styles.away} style={{ inlineSize: share(unavailable) }} />
      </span>
      <span>
        {used} of {total}
        {unavailable > 0 && <span className="quiet">, {unavailable} away</span>}
      </span>
    </span>
  );
}
