import { isDeepStrictEqual } from "node:util";
import type { Deps } from "../../kernel/deps.ts";
import { written } from "../../kernel/events/rewrite.ts";
import { poolKey } from "../../kernel/object/hub-keys.ts";
import { objectKey } from "../../kernel/object/keys.ts";
import { load, type Records } from "../../kernel/object/records.ts";
import type { RecheckDeps } from "../../kernel/saga/rechecks.ts";
import { oncePerCounter } from "../../kernel/store/once-per-counter.ts";
import { optimistically } from "../../kernel/store/optimistically.ts";
import { eq, type Item, type Store, type Write } from "../../kernel/store/store.ts";
import { standbyEntry, standbyOf, standbyWrites } from "../hot-pools/standby.ts";
import {
  admitHost,
  hostEntries,
  moveToRack,
  ownerIn,
  type PoolPlace,
  poolPlaceOf,
  rackIn,
  withdrawHost,
} from "../pool/entries.ts";
import type { Host } from "../pool/host.ts";
import {
  type HostOwner,
  hostOwnerOf,
  hostStatus,
  isManaged,
  isUsable,
  type NamedOwner,
  rackOf,
} from "../pool/host.ts";
import { countFree } from "../pool/host-counts.ts";
import { hostQueue } from "../queues/tickets.ts";
import { wakeQueues } from "../queues/wake.ts";

/** The hosts of a hub that `adjustPool` would not change; reads the hub's pool once. */
export async function adjusted(store: Store, hosts: readonly Host[]): Promise<Host[]> {
  const entries = new Map<string, Item>();
  for (const { hub, hostType } of placesOf(hosts))
    for await (const entry of hostEntries(store, { hub, hostType })) entries.set(entry.sk, entry);
  return hosts.filter((host) => isAdjusted(host, entries.get(host.id)));
}

const placesOf = (hosts: readonly Host[]): PoolPlace[] => {
  const [first] = hosts;
  const hostTypes = new Set(hosts.map(({ spec }) => spec.host_type));
  return first ? [...hostTypes].map((hostType) => ({ hub: first.spec.hub, hostType })) : [];
};

function isAdjusted(host: Host, entry: Item | undefined): boolean {
  const holder = ownerIn(entry);
  const known = hostOwnerOf(host);
  if (holder && (known?.kind !== holder.kind || known.id !== holder.id)) return false;
  // The time does not matter: `since` is kept unless the state differs, and then the status differs too.
  const status = hostStatus(host, holder && known, 0);
  return isInPlace(host, entry) && isDeepStrictEqual(status, host.status);
}

/** Whether the pool's entry of a host matches the host's record. A held host stays held. */
const isInPlace = (host: Host, entry: Item | undefined): boolean =>
  ownerIn(entry) !== undefined ||
  (isUsable(host) ? isFree(entry) && rackIn(entry) === rackOf(host) : entry?.state === "out");

const isFree = (entry: Item | undefined): entry is Item => entry?.state === "free";

interface Adjusted {
  admitted?: { hub: string; hostType: string };
  holder?: HostOwner;
}

/**
 * Puts a host into the pool when it can be claimed, and takes it out when it cannot; a held host stays with its holder.
 * Decides by the host's record in the same transaction, so that late and repeated reports cannot restore an older state
 * or place. Updates the host's state. `known` is the host as just read or written. Answers the owner that holds the
 * host.
 */
export async function adjustPool(
  deps: RecheckDeps,
  id: string,
  known?: Host,
): Promise<HostOwner | undefined> {
  let first = known;
  const { admitted, holder } = await optimistically<Adjusted>(deps.store, async () => {
    const host = first ?? (await load(deps, "host", id));
    first = undefined;
    if (!host) return { writes: [], result: {} };
    const place = poolPlaceOf(host.spec);
    const entry = await deps.store.get(poolKey(place.hub, place.hostType, id));
    const holder = ownerIn(entry);
    const named = holder && (await namedOwner(deps, host, holder));
    const status = hostStatus(host, named, deps.clock.now());
    const told = isDeepStrictEqual(status, host.status)
      ? []
      : written(deps, host, { ...host, status }).writes;
    const behind = await standbyChange(deps, { ...host, status });
    if (isInPlace(host, entry)) {
      // The standby state follows from the host's record, so the record must be unchanged since it was read.
      const guard = behind.length > 0 && told.length === 0 ? [unchangedSince(host)] : [];
      return { writes: [...told, ...guard, ...behind], result: holder ? { holder } : {} };
    }
    const usable = isUsable(host);
    const rack = rackOf(host);
    return {
      writes: oncePerCounter([
        ...(usable
          ? isFree(entry)
            ? [moveToRack(place, id, entry, rack)]
            : [admitHost(place, id, rack), ...countFree([[place, 1]])]
          : withdrawHost(place, id, entry)),
        ...(told.length > 0 ? told : [unchangedSince(host)]),
        ...behind,
      ]),
      result: usable ? { admitted: place } : {},
    };
  });
  if (admitted) await wakeQueues(deps, [hostQueue(admitted.hostType)], admitted.hub);
  return holder;
}

const unchangedSince = ({ id, revision }: Host): Write => ({
  check: objectKey("host", id),
  if: eq("revision", revision),
});

/** The writes that bring a host to its standby state; none for a host whose power somebody else manages. */
async function standbyChange({ store }: Pick<Deps, "store">, host: Host): Promise<Write[]> {
  if (!isManaged(host)) return [];
  const place = poolPlaceOf(host.spec);
  return standbyWrites(place, host.id, await standbyEntry({ store }, host), standbyOf(host));
}

/** The owner of a host, with its name for people; the name does not change while the owner holds the host. */
async function namedOwner(
  records: Records,
  host: Host,
  { kind, id }: HostOwner,
): Promise<NamedOwner | undefined> {
  const known = hostOwnerOf(host);
  if (known?.kind === kind && known.id === id) return known;
  const owner = await load(records, kind, id);
  const sets = Object.entries(owner?.placement?.hosts ?? {});
  const [role] = sets.find(([, hosts]) => hosts.some((held) => held === host.id)) ?? [];
  if (!owner || role === undefined) return undefined;
  const { tenant, name } = owner.metadata;
  return { tenant, kind, id, name, role };
}
