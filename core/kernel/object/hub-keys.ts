import type { Key } from "../store/store.ts";
import { shardOf, single } from "./key-parts.ts";

/** Keys of hubs and sites: their hosts, counters and lists, and the records of sweeps. */

/** The addresses of tenants' subnets that a hub announces. */
export const announcedPartition = (hub: string): string => `announced#${hub}`;
export const announcedKey = (hub: string, address: string): Key => ({
  pk: announcedPartition(hub),
  sk: address,
});

/** The claim of a Kubernetes cluster as a hub, by the cluster's UID. */
export const hubClusterKey = (uid: string): Key => single(`hub-cluster#${uid}`);

/** The counters of a hub: slots, hosts and free hosts. */
export const hubCounters = ["slots", "hosts", "freehosts"] as const;
const counterKey = (counter: (typeof hubCounters)[number], hub: string): Key =>
  single(`${counter}#${hub}`);
/** The number of control planes on a hub: `used`. */
export const slotsKey = (hub: string): Key => counterKey("slots", hub);

/**
 * The hosts that orders can claim, one entry for each: free, held or out. The entries of a type on a hub are spread
 * over shards, so that no partition is hot; index g3 has separate partitions for free and for held hosts.
 */
export const poolShards = 4;
export const poolPartition = (hub: string, hostType: string, shard: number): string =>
  `pool#${hub}#${hostType}#${shard}`;
export const poolKey = (hub: string, hostType: string, host: string): Key => ({
  pk: poolPartition(hub, hostType, shardOf(host, poolShards)),
  sk: host,
});
export const freePartition = (hub: string, hostType: string, shard: number): string =>
  `free#${hub}#${hostType}#${shard}`;

/** Index g3: the entries of an owner's hosts. Index g4: the entries of the hosts of all owners in a tenant. */
export const heldPartition = (owner: string): string => `held#${owner}`;
export const heldForPartition = (tenant: string): string => `held-for#${tenant}`;

/** The hosts with a health alert, an entry each. */
export const alertedPartition = "alerted-hosts";
export const alertedKey = (host: string): Key => ({ pk: alertedPartition, sk: host });

/** Index g3: the free hosts that an allocation has reserved for its tenant, on all hubs, by hub and host type. */
export const keptPartition = (allocation: string): string => `kept#${allocation}`;
export const keptAt = (hub: string, hostType: string): string => `${hub}#${hostType}#`;
/** The number of an allocation's hosts: all (`total`) and held (`used`). Free hosts by place, as `at:<hub>#<type>`. */
export const allocationHosts = "allocation-hosts";
export const allocationHostsKey = (allocation: string): Key =>
  single(`${allocationHosts}#${allocation}`);
export const allocationOfHosts = (pk: string): string | undefined =>
  pk.startsWith(`${allocationHosts}#`) ? pk.slice(allocationHosts.length + 1) : undefined;

/** The servers of a type on a hub that are off and can be discovered, or are being discovered. */
export const standbyPartition = (hub: string, hostType: string, shard: number): string =>
  `standby#${hub}#${hostType}#${shard}`;
export const standbyKey = (hub: string, hostType: string, host: string): Key => ({
  pk: standbyPartition(hub, hostType, shardOf(host, poolShards)),
  sk: host,
});

/**
 * Two counts for a hub: all hosts of each type in the inventory, held or free (`type:<name>`), and the free hosts that
 * each allocation has reserved (`kept:<type>#<tenant>#<allocation>`).
 */
export const hostsKey = (hub: string): Key => counterKey("hosts", hub);
/** The number of hosts of each type on a hub that are free and not reserved: `type:<name>`. */
export const freeHostsKey = (hub: string): Key => counterKey("freehosts", hub);

/** The hub that a partition of counters belongs to; undefined for any other partition. */
export const hubOfCounters = (pk: string): string | undefined =>
  hubCounters
    .map((counter) => `${counter}#`)
    .flatMap((prefix) => (pk.startsWith(prefix) ? pk.slice(prefix.length) : []))[0];

/** A hub's part of lists and sums: its entries in the lists of hubs with room, and its shares of capacity. */
export const roomPartition = (hub: string): string => `room#${hub}`;
/** The entries of a hub in the lists of hubs with room. */
export const roomKey = (hub: string): Key => single(roomPartition(hub));
/** A hub's share of the capacity that an audience sees. */
export const shareKey = (hub: string, audience: string): Key => ({
  pk: roomPartition(hub),
  sk: `share#${audience}`,
});
/**
 * The capacity of the hubs that an audience sees, by region: sums of the hubs' shares. Counters in shards,
 * because every claim in a region changes them. The region is last in the key, because it may contain a '#'.
 */
const capacityShards = 8;
export const capacityPartition = (audience: string): string => `capacity#${audience}`;
export const capacityKey = (audience: string, region: string, hub: string): Key => ({
  pk: capacityPartition(audience),
  sk: `${shardOf(hub, capacityShards)}#${region}`,
});
/** The region in the sort key of such a counter. */
export const regionOfCapacity = (sk: string): string => sk.slice(sk.indexOf("#") + 1);
/**
 * The list of hubs in a region that have hosts of a type (`*`: of any type) and serve only this tenant (`*`:
 * all tenants). The region is last in the key, because it may contain a '#'.
 */
export const hubsWithPartition = (audience: string, hostType: string, region: string): string =>
  `hubs-with#${audience}#${hostType}#${region}`;
/** The region of such a list. */
export const regionOfList = (pk: string): string => pk.split("#").slice(3).join("#");
/** The number of hubs in such lists, by region. */
export const hubRegionPartition = "hub-region";
export const hubRegionKey = (region: string): Key => ({ pk: hubRegionPartition, sk: region });

/**
 * Servers that a bare metal service still assigns to Slipway and that have to be given up, by hub and address.
 */
export const givingUpPartition = (hub: string): string => `giving-up#${hub}`;
/** The orphans that the sweep has found at a hub or a site. */
export const orphanPartition = (place: "hub" | "site", id: string): string =>
  `orphan#${place}#${id}`;
/** The number of changes of a hub's or a site's list of orphans. */
export const orphansKey = (place: "hub" | "site", id: string): Key =>
  single(`orphans#${place}#${id}`);

/** The time of the next sweep of a hub or a site. */
export const sweepKey = (sweep: string, place: "hub" | "site", id: string): Key =>
  single(`sweep#${sweep}#${place}#${id}`);
/** Index g2: hubs and sites by the time of a sweep. */
const sweepShards = 4;
export const sweepPartition = (sweep: string, id: string): string =>
  `sweep#${sweep}#${shardOf(id, sweepShards)}`;
export const sweepPartitions = (sweep: string): string[] =>
  Array.from({ length: sweepShards }, (_, shard) => `sweep#${sweep}#${shard}`);

/**
 * The time of the last report of a hub's agent. Not in the hub's record, which would change with each report.
 * The heartbeats of many hubs share a partition, so that they can be read cheaply.
 */
const heartbeatShards = 4;
export const heartbeatKey = (hub: string): Key => ({
  pk: `heartbeats#${shardOf(hub, heartbeatShards)}`,
  sk: hub,
});
export const heartbeatPartitions = (): string[] =>
  Array.from({ length: heartbeatShards }, (_, shard) => `heartbeats#${shard}`);

/** When a hub was last reached, to within a quarter of an hour; `since`: the time from which it was unreachable. */
export const reachKey = (hub: string): Key => single(`reach#${hub}`);
/** When the systems of a site last answered. */
export const siteReachKey = (site: string): Key => single(`site-reach#${site}`);
/** Index g2: hubs that the last check did not reach. */
export const unreachedPartition = "unreached";

/** Hubs for which somebody requested a sweep before the next scheduled one. */
export const sweepRequestPartition = "hub-look";
export const sweepRequestKey = (hub: string): Key => ({ pk: sweepRequestPartition, sk: hub });

/** The progress of the import of a site's inventory. */
export const inventoryReadingKey = (site: string): Key => single(`inventory-reading#${site}`);
/** The result of the import for each server of a site's inventory. */
export const inventoryServersPartition = (site: string): string => `inventory#${site}`;
export const inventoryServerKey = (site: string, server: string): Key => ({
  pk: inventoryServersPartition(site),
  sk: server,
});
