import type { Deps } from "../deps.ts";
import { asHostId, type HostId } from "../id.ts";
import type { Cluster } from "../model/cluster.ts";
import { isUsable } from "../model/host.ts";
import { objectKey, slotsKey } from "../store/keys.ts";
import { mustLoad, objectIn, optimistically, putChanged } from "../store/records.ts";
import { rewritten } from "../store/rewrite.ts";
import type { Store, Write } from "../store/store.ts";
import { adjustPool } from "./adjust.ts";
import { countFree } from "./inventory.ts";
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

/**
 * Gives hosts of a cluster back, in chunks; with `entirely` also its slot, and the placement is
 * gone. Hosts whose agent cannot be taken yet leave the pool until it can. The relay sees each
 * chunk and tells who waits for it.
 */
export async function release(
  deps: Deps,
  id: string,
  hosts: ReadonlySet<string>,
  entirely: boolean,
): Promise<void> {
  for (let more = true; more; ) {
    const chunk = await optimistically(deps.store, () => releaseChunk(deps, id, hosts, entirely));
    // News of an agent may have come in between reading its host and freeing it.
    for (const host of chunk.hosts) await adjustPool(deps, host);
    more = chunk.more;
  }
}

async function releaseChunk(
  deps: Deps,
  id: string,
  hosts: ReadonlySet<string>,
  entirely: boolean,
): Promise<{ writes: Write[]; result: { hosts: string[]; more: boolean } }> {
  const cluster = await mustLoad(deps.store, "cluster", id);
  const { placement, site: _, ...bare } = cluster;
  const nothing = { writes: [], result: { hosts: [], more: false } };
  if (!placement) return nothing;
  const going = Object.values(placement.hosts)
    .flat()
    .filter((host) => hosts.has(host));
  const chunk = new Set(going.slice(0, hostsPerTransaction));
  const left = without(placement.hosts, chunk);
  const drop = entirely && Object.values(left).flat().length === 0;
  if (chunk.size === 0 && !drop) return nothing;
  const { leaving, ...kept } = placement;
  const still = leaving?.filter((host) => !chunk.has(host)) ?? [];
  const marked = still.length > 0 ? { leaving: still } : {};
  const after = drop ? bare : { ...cluster, placement: { ...kept, ...marked, hosts: left } };
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
  const free = going.filter(({ usable }) => usable);
  return [
    ...going.map(({ place, id, usable }) => releaseHost(place, id, cluster.id, usable)),
    ...countFree(free.map(({ place }) => [place, 1])),
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
