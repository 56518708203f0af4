import { poolShards, standbyKey, standbyPartition } from "../../kernel/object/hub-keys.ts";
import { pagesIn } from "../../kernel/store/pages.ts";
import { absent, eq, type Item, type Store, type Write } from "../../kernel/store/store.ts";
import type { PoolPlace } from "../pool/entries.ts";
import { type Host, isManaged, isUnhealthy, isWhole } from "../pool/host.ts";
import { countStandby } from "../pool/host-counts.ts";

/**
 * Servers behind the pool. `idle` servers are off and can be discovered. `coming` servers are being discovered. So are
 * `late` ones, but the pool no longer counts on them. Each server has an entry. Each hub counts the servers by type, so
 * that their number is known without a list.
 */
export type Standby = "idle" | "coming" | "late";

/** The standby state of a host; undefined for a host that is not on standby. */
export function standbyOf(host: Host): Standby | undefined {
  const { maintenance, server, operation, status } = host;
  if (!isManaged(host) || !isWhole(host) || maintenance || status.owner) return undefined;
  if (isUnhealthy(host) || host.firmware_update) return undefined;
  const { condition = "UNKNOWN", quarantine, isRetired, work, isLate } = server ?? {};
  if (quarantine || isRetired) return undefined;
  if (operation && work !== "discover") return undefined;
  if (operation) return isLate ? "late" : "coming";
  const isLost = condition === "READY" && status.agent?.gone === true;
  return condition === "UNKNOWN" || condition === "CLEAN" || isLost ? "idle" : undefined;
}

/** The standby state in an entry. Only this module writes such items, so the cast is safe. */
const standbyIn = (entry: Item | undefined): Standby | undefined =>
  entry?.as as Standby | undefined;

/** The writes that bring a host's entry and its counts to the host's standby state. */
export function standbyWrites(
  place: PoolPlace,
  host: string,
  entry: Item | undefined,
  as: Standby | undefined,
): Write[] {
  const before = standbyIn(entry);
  if (before === as) return [];
  const key = standbyKey(place.hub, place.hostType, host);
  const isStill = before === undefined ? absent : eq("as", before);
  const moves: [PoolPlace, Standby, number][] = [
    ...(before === undefined ? [] : [[place, before, -1] as [PoolPlace, Standby, number]]),
    ...(as === undefined ? [] : [[place, as, 1] as [PoolPlace, Standby, number]]),
  ];
  return [
    as === undefined ? { delete: key, if: isStill } : { put: { ...key, as }, if: isStill },
    ...countStandby(moves),
  ];
}

/** The standby entry of a host. Strongly consistent. */
export const standbyEntry = ({ store }: { store: Store }, { id, spec }: Host) =>
  store.get(standbyKey(spec.hub, spec.host_type, id));

/** The ids of hosts in a standby state, starting at a random shard. */
export async function* standbyHosts(
  store: Store,
  { hub, hostType }: PoolPlace,
  as: Standby,
  random: () => number,
): AsyncGenerator<string> {
  const first = Math.floor(random() * poolShards);
  for (let n = 0; n < poolShards; n++) {
    const pk = standbyPartition(hub, hostType, (first + n) % poolShards);
    for await (const items of pagesIn(store, { pk }))
      for (const item of items) if (standbyIn(item) === as) yield item.sk;
  }
}
