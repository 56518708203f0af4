import type { Deps } from "../deps.ts";
import { asHostId, type HostId } from "../id.ts";
import type { Cluster } from "../model/cluster.ts";
import { isReclaimed } from "../model/host.ts";
import { objectKey, slotsKey } from "../store/keys.ts";
import { mustLoad, objectIn, optimistically, putChanged } from "../store/records.ts";
import { rewritten } from "../store/rewrite.ts";
import type { Store, Write } from "../store/store.ts";
import { hostsPerTransaction, releaseHost } from "./pool.ts";
import { hostClass, slotClass, wakeQueues } from "./tickets.ts";

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
 * gone. Hosts whose agent is not reclaimed leave the pool until it is. Wakes who waits for them.
 */
export async function release(
  deps: Deps,
  id: string,
  hosts: ReadonlySet<string>,
  entirely: boolean,
): Promise<void> {
  const freed = new Set<string>();
  for (let more = true; more; ) {
    more = await optimistically(deps.store, async () => {
      const cluster = await mustLoad(deps.store, "cluster", id);
      const { placement } = cluster;
      if (!placement) return { writes: [], result: false };
      const going = Object.values(placement.hosts)
        .flat()
        .filter((host) => hosts.has(host));
      const chunk = new Set(going.slice(0, hostsPerTransaction));
      const left = without(placement.hosts, chunk);
      const last = going.length === chunk.size;
      const drop = entirely && last && Object.values(left).flat().length === 0;
      if (chunk.size === 0 && !drop) return { writes: [], result: false };
      const writes: Write[] = await releases(deps.store, cluster, chunk, freed);
      const { placement: _, ...bare } = cluster;
      const after = drop ? bare : { ...cluster, placement: { ...placement, hosts: left } };
      writes.push(putChanged(rewritten(cluster, after, deps.clock.now())));
      if (drop) {
        writes.push({ update: slotsKey(placement.hub), add: { used: -1 } });
        freed.add(slotClass);
      }
      return { writes, result: !last };
    });
  }
  await wakeQueues(deps, freed);
}

async function releases(
  store: Store,
  cluster: Cluster,
  hosts: ReadonlySet<string>,
  freed: Set<string>,
): Promise<Write[]> {
  const known = new Map((await heldHosts(store, cluster)).map(({ host }) => [host.id, host]));
  return [...hosts].flatMap((id) => {
    const host = known.get(id);
    if (!host) return [];
    freed.add(hostClass(host.spec.host_type));
    const place = { hub: host.spec.hub, hostType: host.spec.host_type };
    const usable = isReclaimed(host.status.agent) && host.spec.unschedulable !== true;
    return [releaseHost(place, id, cluster.id, usable)];
  });
}

function without(
  hosts: Record<string, HostId[]>,
  gone: ReadonlySet<string>,
): Record<string, HostId[]> {
  return Object.fromEntries(
    Object.entries(hosts).map(([set, ids]) => [set, ids.filter((id) => !gone.has(asHostId(id)))]),
  );
}
