import { asHostId, type HostId } from "../../id.ts";
import { written } from "../../kernel/events/rewrite.ts";
import { slotsKey } from "../../kernel/object/hub-keys.ts";
import { objectKey } from "../../kernel/object/keys.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import { mustLoad, objectIn, type Records } from "../../kernel/object/records.ts";
import type { Placed, PlacedKind, Placement } from "../../kernel/object/traits.ts";
import type { RecheckDeps } from "../../kernel/saga/rechecks.ts";
import { optimisticallyFenced } from "../../kernel/store/optimistically.ts";
import type { Check, Write } from "../../kernel/store/store.ts";
import type { Placing } from "../choose/demand.ts";
import { hostsPerTransaction, poolPlaceOf, releaseHost } from "../pool/entries.ts";
import { hostAfterRelease, isUsable, rackOf } from "../pool/host.ts";
import { countReleased } from "../pool/host-counts.ts";
import { reservedIn, withoutReserved } from "../pool/reserved.ts";
import { adjustPool } from "./adjust.ts";
import { withLeaving } from "./leaving.ts";

/** The hosts of an owner with their inventory records; a host that was removed is left out. */
export async function heldHosts({ store, kinds }: Records, { placement }: Placed) {
  const held = Object.entries(placement?.hosts ?? {}).flatMap(([set, hosts]) =>
    hosts.map((host) => ({ set, host })),
  );
  const items = await store.getMany(held.map(({ host }) => objectKey("host", host)));
  return held.flatMap(({ set }, i) => {
    const item = items[i];
    return item ? [{ set, host: objectIn<"host">(kinds, item) }] : [];
  });
}

/** The most hosts that one transaction releases, since it may write the record of each beside its entry. */
const releasedAtOnce = hostsPerTransaction / 2;
/** The limit if some were reserved for the tenant, because their allocations are written too. */
const keptReleasedAtOnce = releasedAtOnce - 10;

export interface ReleaseRequest<K extends PlacedKind>
  extends Pick<Placing<K>, "kind" | "unplaced"> {
  /** The owner's id. */
  id: string;
  /** The operation that releases the hosts; if the owner has another operation, nothing is released. */
  operation: string;
  fence: Check[];
  /** Selects the hosts from the placement that the transaction itself reads. */
  hosts: (placement: Placement) => ReadonlySet<string>;
  /** Whether to release the slot and remove the placement with the last host. */
  entirely?: boolean;
}

/**
 * Releases hosts of an owner, in chunks. A host whose agent is not ready stays out of the pool until it is. The relay
 * sees each chunk and wakes the operations that wait for these hosts. Throws Cancelled when the fence does not hold.
 */
export async function release<K extends PlacedKind>(
  deps: RecheckDeps,
  given: ReleaseRequest<K>,
): Promise<void> {
  for (let more = true; more; ) {
    const chunk = await optimisticallyFenced(deps.store, given.fence, () =>
      releaseChunk(deps, given),
    );
    // A report about an agent may have come between the read of its host and the release.
    for (const host of chunk.hosts) await adjustPool(deps, host);
    more = chunk.more;
  }
}

async function releaseChunk<K extends PlacedKind>(
  deps: RecheckDeps,
  { kind, id, unplaced, operation, hosts, entirely = false }: ReleaseRequest<K>,
): Promise<{ writes: Write[]; result: { hosts: string[]; more: boolean } }> {
  const object = await mustLoad(deps, kind, id);
  const { placement }: Placed = object;
  const nothing = { writes: [], result: { hosts: [], more: false } };
  if (!placement || object.operation !== operation) return nothing;
  const wanted = hosts(placement);
  const going = Object.values(placement.hosts)
    .flat()
    .filter((host) => wanted.has(host));
  const chunk = new Set(going.slice(0, placement.kept ? keptReleasedAtOnce : releasedAtOnce));
  const left = without(placement.hosts, chunk);
  const drop = entirely && Object.values(left).flat().length === 0;
  if (chunk.size === 0 && !drop) return nothing;
  const rest = withoutReserved(
    withLeaving({ ...placement, hosts: left }, placement.leaving ?? []),
    chunk,
  );
  const after: ObjectOf[K] = drop ? unplaced(object) : { ...object, placement: rest };
  const writes: Write[] = [
    ...written(deps, object, after).writes,
    ...(await releases(deps, object, chunk)),
    ...(drop && !placement.slotless
      ? [{ update: slotsKey(placement.hub), add: { used: -1 } }]
      : []),
  ];
  return { writes, result: { hosts: [...chunk], more: chunk.size < going.length } };
}

async function releases(
  deps: Pick<RecheckDeps, "store" | "kinds" | "clock">,
  owner: Placed & { id: string; metadata: { tenant: string } },
  hosts: ReadonlySet<string>,
): Promise<Write[]> {
  const { placement = {}, metadata } = owner;
  const going = (await heldHosts(deps, owner))
    .filter(({ host }) => hosts.has(host.id))
    .map(({ host }) => {
      const after = hostAfterRelease(host);
      const place = poolPlaceOf(host.spec);
      const reservedFor = reservedIn(placement, metadata.tenant, host.id);
      return { host, after, place, usable: isUsable(after), reservedFor };
    });
  return [
    ...going.map(({ place, host, usable, reservedFor }) =>
      releaseHost(place, host.id, owner.id, usable, { reservedFor, rack: rackOf(host) }),
    ),
    ...countReleased(going),
    // In the same transaction, so that a used server never counts as erased.
    ...going.flatMap(({ host, after }) =>
      after === host ? [] : written(deps, host, after).writes,
    ),
  ];
}

function without(
  hosts: Record<string, HostId[]>,
  gone: ReadonlySet<string>,
): Record<string, HostId[]> {
  return Object.fromEntries(
    Object.entries(hosts).map(([set, ids]) => [set, ids.filter((id) => !gone.has(asHostId(id)))]),
  );
}
