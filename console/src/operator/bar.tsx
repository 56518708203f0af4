import styles from "./bar.module.css";

/** The share from which a bar warns. */
const nearlyAll = 0.9;

/** A bar of the numbers that are in use, reserved, resting, unavailable and free. */
export function Bar({
  total,
  used,
  kept = 0,
  unavailable = 0,
}: {
  total: number;
  used: number;
  kept?: number | undefined;
  unavailable?: number;
}) {
  const isFull = total > 0 && used + kept >= total * nearlyAll;
  const share = (count: number) => `${total > 0 ? (count / total) * 100 : 0}%`;
  return (
    <span className={styles.line}>
      <span className={styles.bar} aria-hidden="true">
        <span className={isFull ? styles.full : styles.used} style={{ inlineSize: share(used) }} />
        <span className={styles.kept} style={{ inlineSize: share(kept) }} />
        <span className={styles.away} style={{ inlineSize: share(unavailable) }} />
      </span>
      <span>
        {used} of {total}
        {kept > 0 && <span className="quiet">, {kept} reserved for tenants</span>}
        {unavailable > 0 && <span className="quiet">, {unavailable} unavailable</span>}
      </span>
    </span>
  );
}
