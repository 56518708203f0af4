import styles from "./bar.module.css";

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
  const share = (count: number) => `${total > 0 ? (count / total) * 100 : 0}%`;
  return (
    <span className="row">
      <span className={styles.bar} aria-hidden="true">
        <span className={styles.used} style={{ inlineSize: share(used) }} />
        <span className={styles.kept} style={{ inlineSize: share(kept) }} />
        <span className={styles.away} style={{ inlineSize: share(unavailable) }} />
      </span>
      <span>
        {used} of {total}
        {kept > 0 && <span className="quiet">, {kept} reserved for tenants</span>}
        {unavailable > 0 && <span className="quiet">, {unavailable} away</span>}
      </span>
    </span>
  );
}
