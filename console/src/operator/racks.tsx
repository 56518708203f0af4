import { Link } from "react-router";
import type { Host } from "../generated/answers.ts";
import { inWords } from "../ui/state.tsx";
import { type HostUse, hostUse } from "./host-use.ts";
import styles from "./racks.module.css";

/** Racks as elevations: a row for each host, by its state; the row leads to the host. */
export function Racks({ racks }: { racks: ReadonlyMap<string, readonly Host[]> }) {
  return (
    <ul className={styles.racks}>
      {[...racks].map(([rack, hosts]) => (
        <li key={rack} className="card">
          <h2>{rack}</h2>
          <ul className={styles.units} aria-label={`Hosts, ${rack}`} data-rows>
            {hosts.map((host) => (
              <li key={host.id}>
                <Unit host={host} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function Unit({ host: { id = "", metadata, status } }: { host: Host }) {
  const { owner, message } = status;
  const use = hostUse(status);
  const words = use === "used" && owner ? owner.name || owner.id : inWords(status.state);
  return (
    <Link
      className={`${styles.unit} ${styles[use]}`}
      to={`/orders/hosts/${id}`}
      title={[inWords(status.state), owner && `held by ${owner.tenant}`, message]
        .filter(Boolean)
        .join(" · ")}
    >
      <span>{metadata.name || id}</span>
      <span className={styles.words}>{words}</span>
    </Link>
  );
}

/** How many hosts have each use, in words; what there is none of is left out. */
export function Summary({ hosts }: { hosts: readonly Host[] }) {
  const counts = Map.groupBy(hosts, ({ status }) => hostUse(status));
  return (
    <ul className={styles.summary}>
      {uses.map(([use, words]) => {
        const count = counts.get(use)?.length ?? 0;
        return (
          count > 0 && (
            <li key={use} className={`${styles.chip} ${styles[use]}`}>
              {count} {words}
            </li>
          )
        );
      })}
    </ul>
  );
}

const uses: readonly [HostUse, string][] = [
  ["bad", "in trouble"],
  ["busy", "in preparation"],
  ["used", "in use"],
  ["free", "free"],
  ["out", "out of service"],
];
