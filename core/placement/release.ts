import type { Deps } from "../deps.ts";
import { asHostId, type HostId } from "../id.ts";
import { objectKey, slotsKey } from "../kernel/object/keys.ts";
import { mustLoad, objectIn, optimistically, putChanged } from "../kernel/object/records.ts";
import { rewritten } from "../kernel/object/rewrite.ts";
import type { Store, Write } from "../kernel/store/store.ts";
import type { Cluster, Placement } from "../resources/cluster/model.ts";
import { isUsable } from "../resources/host/model.ts";
import { adjustPool } from "./adjust.ts";
import { countGiven } from "./inventory.ts";
import { withLeaving } from "./leaving.ts";
import { hostsPerTransaction, releaseHost } from "./pool.ts";

/** Hosts of a cluster with what the inventory knows of them; a host that was removed is left out. */
export async function heldHosts(store: Store, cluster: Cluster) {
  const held = Object.entries(cluster.placement?.hosts ?? {}).flatMap(([set, hosts]) =>
    hosts.map((host) => ({ set, host })),
  );
  const items = await store.getMany(held.map(({ host }) => objectKey("host", host)));
  return held.flatMap(({ set }, i) => {
    const item = items[i];
    return item ? [{ set, host: objectIn<"host">(item) }] : [];
  });
}

export interface Release {
  cluster: string;
  /** Who gives them back; an operation that is not the cluster's own (any more) gives nothing. */
  operation: string;
  /** Which of them, by the placement as it is in the very write. */
  hosts: (placement: Placement) => ReadonlySet<string>;
  /** With the last of them the slot as well, and the placement is gone. */
  entirely?: boolean;
}

/**
 * Gives hosts of a cluster back, in chunks. Hosts whose agent cannot be taken yet leave the pool
 * until it can. The relay sees each chunk and tells who waits for it.
 */
export async function release(deps: Deps, given: Release): Promise<void> {
  for (let more = true; more; ) {
    const chunk = await optimistically(deps.store, () => releaseChunk(deps, given));
    // News of an agent may have come in between reading its host and freeing it.
    for (const host of chunk.hosts) await adjustPool(deps, host);
    more = chunk.more;
  }
}

async function releaseChunk(
  deps: Deps,
  { cluster: id, operation, hosts, entirely = false }: Release,
): Promise<{ writes: Write[]; result: { hosts: string[]; more: boolean } }> {
  const cluster = await mustLoad(deps.store, "cluster", id);
  const { placement, site: _, ...bare } = cluster;
  const nothing = { writes: [], result: { hosts: [], more: false } };
  if (!placement || cluster.operation !== operation) return nothing;
  const wanted = hosts(placement);
  const going = Object.values(placement.hosts)
    .flat()
    .filter((host) => wanted.has(host));
  const chunk = new Set(going.slice(0, hostsPerTransaction));
  const left = without(placement.hosts, chunk);
  const drop = entirely && Object.values(left).flat().length === 0;
  if (chunk.size === 0 && !drop) return nothing;
  const kept = withLeaving({ ...placement, hosts: left }, placement.leaving ?? []);
  const after = drop ? bare : { ...cluster, placement: kept };
  const writes: Write[] = [
    putChanged(rewritten(cluster, after, deps.clock.now())),
    ...(await releases(deps.store, cluster, chunk)),
    ...(drop ? [{ update: slotsKey(placement.hub), add: { used: -1 } }] : []),
  ];
  return { writes, result: { hosts: [...chunk], more: chunk.size < going.length } };
}

async function releases(
  store: Store,
  cluster: Cluster,
  hosts: ReadonlySet<string>,
): Promise<Write[]> {
  const going = (await heldHosts(store, cluster))
    .filter(({ host }) => hosts.has(host.id))
    .map(({ host }) => ({
      id: host.id,
      place: { hub: host.spec.hub, hostType: host.spec.host_type },
      usable: isUsable(host),
    }));
  return [
    ...going.map(({ place, id, usable }) => releaseHost(place, id, cluster.id, usable)),
    ...countGiven(going),
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
