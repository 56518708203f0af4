import type { Key } from "../store/store.ts";
import { definitionOf, type Kinds } from "./kind.ts";
import type { Label } from "./metadata.ts";
import type { Kind } from "./object.ts";
import type { ObjectOf } from "./object-of.ts";
import { parentPath } from "./project.ts";

/** Every key of the table, in one place. */

const single = (pk: string): Key => ({ pk, sk: "-" });

/** A sequence as a sort key: padded, so that text order is number order. */
const padded = (sequence: number): string => String(sequence).padStart(12, "0");

export const objectKey = (kind: Kind, id: string): Key => single(`${kind}#${id}`);
/** A deleted object, kept in the archive for a while: for its history and its last event. */
export const archiveKey = (kind: Kind, id: string): Key => single(`archive#${kind}#${id}`);
/** The archived object of an id that was used again, by its last event: the next deletion replaces it. */
export const formerKey = (kind: Kind, id: string, sequence: number): Key => ({
  pk: `former#${kind}#${id}`,
  sk: padded(sequence),
});
/** The claims of a name in all projects of a tenant. */
export const namePartition = (kind: Kind, tenant: string, name: string): string =>
  `name#${kind}#${tenant}#${name}`;
/** The claim of a name: unique per tenant, project and kind. */
export const nameKey = (kind: Kind, tenant: string, project: string, name: string): Key => ({
  pk: namePartition(kind, tenant, name),
  sk: project || "-",
});
/** The claim of a project's path. As an object, a project is in its parent. */
export const projectNameKey = (tenant: string, path: string): Key =>
  nameKey("project", tenant, parentPath(path) ?? "", path);
/**
 * The objects of a kind that are in projects of a tenant, by path and in order of creation. Ids only,
 * since an index may lag.
 */
export const inProjectPartition = (kind: Kind, tenant: string): string =>
  `inproject#${kind}#${tenant}`;
export const inProjectKey = (object: ObjectOf[Kind], project: string): Key => ({
  pk: inProjectPartition(object.kind, object.metadata.tenant),
  sk: `${project}#${object.metadata.creation_timestamp}#${object.id}`,
});
/** The entries of the objects of a kind in a tenant that have a label, in order of creation. */
export const labelPartition = (kind: Kind, tenant: string, { key, value }: Label): string =>
  `label#${kind}#${tenant}#${key}=${value}`;
/**
 * Indexes g2 and g3: the entries of the objects that have a label of a key, whatever its value, in order of
 * creation, and by project. No key of a label holds a '='.
 */
export const labelKeyPartition = (kind: Kind, tenant: string, key: string): string =>
  `label#${kind}#${tenant}#${key}`;
/** Index g4: the entries of a label in all tenants. No tenant's name is empty. */
export const labelKindPartition = (kind: Kind, label: Label): string =>
  labelPartition(kind, "", label);
/** The number of objects of a kind in a project and the projects below it. */
export const projectCountKey = (kind: Kind, tenant: string, project: string): Key =>
  single(`count#${kind}#${tenant}#${project}`);
/** The limits of a quota and how much of it is used, for a tenant or for one of its projects. */
export const accountKey = (tenant: string, project?: string): Key =>
  single(`account#${tenant}#${project ?? ""}`);
/** The memberships of a user, by project. */
export const memberPartition = (tenant: string, user: string): string => `member#${tenant}#${user}`;
export const memberKey = (tenant: string, user: string, membership: string): Key => ({
  pk: memberPartition(tenant, user),
  sk: membership,
});
/** The role bindings of a user, apart from the memberships; no id has a '#' in it. */
export const bindingKey = (tenant: string, user: string, binding: string): Key => ({
  pk: memberPartition(tenant, user),
  sk: `binding#${binding}`,
});
/** The role bindings of a group. */
export const groupPartition = (tenant: string, group: string): string => `group#${tenant}#${group}`;
export const groupBindingKey = (tenant: string, group: string, binding: string): Key => ({
  pk: groupPartition(tenant, group),
  sk: `binding#${binding}`,
});
/** The user behind a name in tokens: the record's id, and whether the user may call. */
export const userKey = (tenant: string, username: string): Key =>
  single(`user-of#${tenant}#${username}`);
/** The claim of an object's name on systems outside. */
export const infraKey = (infraId: string): Key => single(`infra#${infraId}`);
/** The host that has a NIC, by MAC address. */
/** The claim of a server's management controller, by its address. */
export const controllerKey = (address: string): Key => single(`controller#${address}`);
export const macKey = (mac: string): Key => single(`mac#${mac}`);
export const idempotencyKey = (tenant: string, key: string): Key =>
  single(`idempotency#${tenant}#${key}`);

/** The number of objects of a kind that a tenant has. */
export const countKey = (kind: Kind, tenant: string): Key => single(`count#${kind}#${tenant}`);
const countShards = 8;
/**
 * The number of objects of a kind over all tenants. A counter in shards, since every order of every
 * tenant changes it.
 */
export const totalKey = (kind: Kind, id: string): Key =>
  single(`total#${kind}#${shardOf(id, countShards)}`);
export const totalKeys = (kind: Kind): Key[] =>
  Array.from({ length: countShards }, (_, shard) => single(`total#${kind}#${shard}`));

/**
 * The numbers of objects that use an object, by kind. Counters in shards, since all orders of a version
 * change its counters.
 */
const useShards = 8;
export const useKey = (kind: Kind, id: string, user: string): Key =>
  single(`uses#${kind}#${id}#${shardOf(user, useShards)}`);
export const useKeys = (kind: Kind, id: string): Key[] =>
  Array.from({ length: useShards }, (_, shard) => single(`uses#${kind}#${id}#${shard}`));
/** The objects that use an object, an item each: where its kind names its users. */
export const usersPartition = (kind: Kind, id: string): string => `used-by#${kind}#${id}`;
/** The sort key is the user's own partition. */
export const namedUseKey = (kind: Kind, id: string, user: { kind: Kind; id: string }): Key => ({
  pk: usersPartition(kind, id),
  sk: objectKey(user.kind, user.id).pk,
});
export const keyOfUser = ({ sk }: Key): Key => single(sk);

/** The revisions of a template, by number; the last one is current. */
export const templateRevisionPartition = (template: string): string => `template#${template}`;
export const templateRevisionKey = (template: string, revision: number): Key => ({
  pk: templateRevisionPartition(template),
  sk: padded(revision),
});

/** The version of orders that name none. */
export const defaultVersionKey = (tenant: string): Key => single(`default#${tenant}`);

/** The network class of orders that name none. */
export const defaultClassKey: Key = single("default-class");
/** The prefixes of a network's subnets, by subnet. */
export const subnetPrefixesKey = (network: string): Key => single(`subnet-prefixes#${network}`);

/** The claim of a network's way out: a network has one. */
export const natGatewayKey = (network: string): Key => single(`nat-gateway-of#${network}`);

/** The prefixes of the pools of outside addresses at a site, by pool; without a site those that are at none. */
export const outsidePrefixesKey = (site: string | undefined): Key =>
  single(`outside-prefixes#${site ?? ""}`);

/** The claim of a version's number: a tenant has each number once. */
export const versionKey = (tenant: string, version: string): Key =>
  single(`version#${tenant}#${version}`);

/** The claim of a cluster's name in DNS. */
export const domainKey = (domain: string): Key => single(`domain#${domain}`);

/** The addresses of tenants' subnets that a hub announces. */
export const announcedPartition = (hub: string): string => `announced#${hub}`;
export const announcedKey = (hub: string, address: string): Key => ({
  pk: announcedPartition(hub),
  sk: address,
});

/** The claim of the Kubernetes cluster that is a hub, by the cluster's UID. */
export const hubClusterKey = (uid: string): Key => single(`hub-cluster#${uid}`);

/** The counters of a hub: of its slots, of its hosts and of its free hosts. */
export const hubCounters = ["slots", "hosts", "freehosts"] as const;
const counterKey = (counter: (typeof hubCounters)[number], hub: string): Key =>
  single(`${counter}#${hub}`);
/** The number of control planes on a hub: `used`. */
export const slotsKey = (hub: string): Key => counterKey("slots", hub);

/**
 * The hosts that orders can claim, one entry a host: free, held or out. The entries of a type on a hub
 * lie in shards, so that no partition is hot; index g3 holds the free ones only.
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

/** The servers of a type on a hub that are off and could be discovered, or are being discovered. */
export const standbyPartition = (hub: string, hostType: string, shard: number): string =>
  `standby#${hub}#${hostType}#${shard}`;
export const standbyKey = (hub: string, hostType: string, host: string): Key => ({
  pk: standbyPartition(hub, hostType, shardOf(host, poolShards)),
  sk: host,
});

/** The number of hosts of each type that the inventory has on a hub, held or free: `type:<name>`. */
export const hostsKey = (hub: string): Key => counterKey("hosts", hub);
/** The number of free hosts of each type on a hub: `type:<name>`. */
export const freeHostsKey = (hub: string): Key => counterKey("freehosts", hub);

/** The hub of whose counters a partition has one. */
export const hubOfCounters = (pk: string): string | undefined =>
  hubCounters
    .map((counter) => `${counter}#`)
    .flatMap((prefix) => (pk.startsWith(prefix) ? pk.slice(prefix.length) : []))[0];

/** What a hub has in lists and sums: its entries in the lists of hubs with room, and its shares. */
export const roomPartition = (hub: string): string => `room#${hub}`;
/** The entries of a hub in the lists of hubs with room. */
export const roomKey = (hub: string): Key => single(roomPartition(hub));
/** What a hub counts for in the capacity that an audience sees. */
export const shareKey = (hub: string, audience: string): Key => ({
  pk: roomPartition(hub),
  sk: `share#${audience}`,
});
/**
 * The capacity of the hubs that an audience sees, by region: sums of the hubs' shares. Counters in
 * shards, since every claim in a region changes them. A region may have a '#' in its name, so it comes
 * last.
 */
const capacityShards = 8;
export const capacityPartition = (audience: string): string => `capacity#${audience}`;
export const capacityKey = (audience: string, region: string, hub: string): Key => ({
  pk: capacityPartition(audience),
  sk: `${shardOf(hub, capacityShards)}#${region}`,
});
/** The region of such counters. */
export const regionOfCapacity = (sk: string): string => sk.slice(sk.indexOf("#") + 1);
/**
 * The list of hubs that have hosts of a type, or of any (`*`), in a region, and serve this tenant alone
 * or everybody (`*`). A region may have a '#' in its name, so it comes last.
 */
export const hubsWithPartition = (audience: string, hostType: string, region: string): string =>
  `hubs-with#${audience}#${hostType}#${region}`;
/** The region of such a list. */
export const regionOfList = (pk: string): string => pk.split("#").slice(3).join("#");
/** The number of hubs in such lists, by region. */
export const hubRegionPartition = "hub-region";
export const hubRegionKey = (region: string): Key => ({ pk: hubRegionPartition, sk: region });

/** Servers of a hub that services have as ours, and that are to be given up; by their addresses. */
export const givingUpPartition = (hub: string): string => `giving-up#${hub}`;
/** The orphans that the sweep has found at a hub or a site. */
export const orphanPartition = (place: "hub" | "site", id: string): string =>
  `orphan#${place}#${id}`;
/** The number of times that the orphans of a hub or a site were changed. */
export const orphansKey = (place: "hub" | "site", id: string): Key =>
  single(`orphans#${place}#${id}`);
/** A maintenance switch of the whole deployment. */
export const switchKey = (name: string): Key => single(`setting#${name}`);

/** When a hub or a site is swept next. */
export const sweepKey = (sweep: string, place: "hub" | "site", id: string): Key =>
  single(`sweep#${sweep}#${place}#${id}`);
/** Index g2: hubs and sites by the time of a sweep. */
const sweepShards = 4;
export const sweepPartition = (sweep: string, id: string): string =>
  `sweep#${sweep}#${shardOf(id, sweepShards)}`;
export const sweepPartitions = (sweep: string): string[] =>
  Array.from({ length: sweepShards }, (_, shard) => `sweep#${sweep}#${shard}`);

/**
 * When a hub's agent last reported. Apart from the hub's record, which would change with each report.
 * The heartbeats of many hubs lie together, so that a read of all of them costs little.
 */
const heartbeatShards = 4;
export const heartbeatKey = (hub: string): Key => ({
  pk: `heartbeats#${shardOf(hub, heartbeatShards)}`,
  sk: hub,
});
export const heartbeatPartitions = (): string[] =>
  Array.from({ length: heartbeatShards }, (_, shard) => `heartbeats#${shard}`);

/**
 * When a hub was last reached, to within a quarter of an hour; `since`: the time from which on it was
 * not.
 */
export const reachKey = (hub: string): Key => single(`reach#${hub}`);
/** Index g2: hubs that the last look did not reach. */
export const unreachedPartition = "unreached";

/** Hubs whose sweep somebody requested, outside their turn. */
export const sweepRequestPartition = "hub-look";
export const sweepRequestKey = (hub: string): Key => ({ pk: sweepRequestPartition, sk: hub });

/** A pool of numbers (VLAN ids, prefixes, addresses): its watermark and counters. */
export const numbersKey = (pool: string): Key => single(`numbers#${pool}`);
/** Whether numbers of a pool were ever given out by an allocator that keeps its books elsewhere. */
export const poolUseKey = (pool: string): Key => single(`pool-use#${pool}`);
/** How full such an allocator said that a pool is. */
export const poolSeenKey = (pool: string): Key => single(`pool-seen#${pool}`);
/** The holder of a number of a pool. */
export const numberKey = (pool: string, number: number): Key => single(`number#${pool}#${number}`);
/** The numbers of a pool that an allocator has given out that keeps its books elsewhere, with their holders. */
export const givenPartition = (pool: string): string => `given#${pool}`;
export const givenKey = (pool: string, number: number): Key => ({
  pk: givenPartition(pool),
  sk: padded(number),
});
/** Foreign numbers of a pool: numbers that something outside uses whose owner nobody knows. */
export const foreignNumberPartition = (pool: string): string => `outside#${pool}`;
export const foreignNumberKey = (pool: string, number: number): Key => ({
  pk: foreignNumberPartition(pool),
  sk: padded(number),
});
/** Numbers of a pool that another system shows, where it may show them as they were before. */
export const unwrittenPartition = (pool: string): string => `unwritten#${pool}`;
export const unwrittenPrefix = (number: number): string => `${padded(number)}#`;
export const unwrittenKey = (pool: string, number: number, holder: string): Key => ({
  pk: unwrittenPartition(pool),
  sk: `${unwrittenPrefix(number)}${holder}`,
});
/** Released numbers of a pool, by the end of their rest. */
export const restingPartition = (pool: string): string => `resting#${pool}`;

/** How far the reading of a site's inventory is. */
export const inventoryReadingKey = (site: string): Key => single(`inventory-reading#${site}`);
/** What was made of each server of a site's inventory. */
export const inventoryServersPartition = (site: string): string => `inventory#${site}`;
export const inventoryServerKey = (site: string, server: string): Key => ({
  pk: inventoryServersPartition(site),
  sk: server,
});

/** A queue: operations that wait, in order of arrival. */
export const ticketPartition = (queueName: string): string => `ticket#${queueName}`;
/** The queue of a ticket's partition; undefined for another partition. */
export const ticketQueue = (pk: string): string | undefined =>
  pk.startsWith("ticket#") ? pk.slice("ticket#".length) : undefined;
export const ticketKey = (queueName: string, arrived: string, operation: string): Key => ({
  pk: ticketPartition(queueName),
  sk: `${arrived}#${operation}`,
});

/** The token of a task that waits, by its name. */
export const tokenKey = (name: string): Key => single(`token#${name}`);

/**
 * A tenant's event log: entries by their positions. They lie in shards, by the objects of their events,
 * so that a tenant with many changes has no hot partition.
 */
export const logShards = 4;
const logPartition = (tenant: string, shard: number): string => `log#${tenant}#${shard}`;
export const logPartitions = (tenant: string): string[] =>
  Array.from({ length: logShards }, (_, shard) => logPartition(tenant, shard));
export const logKey = (tenant: string, object: string, position: string): Key => ({
  pk: logPartition(tenant, shardOf(object, logShards)),
  sk: position,
});
/** Index g3: the entries of an object's events, by their sequence. */
export const historyPartition = (kind: Kind, id: string): string => `history#${kind}#${id}`;
export const historyKey = (kind: Kind, id: string, sequence: number) => ({
  g3pk: historyPartition(kind, id),
  g3sk: padded(sequence),
});

/** The slots of the watches that wait now. A user's slots are numbered; no tenant has a '#' in its name. */
export const watchSlotPartition = "watch-slot";
export const watchSlotKey = (tenant: string, user: string, number: number): Key => ({
  pk: watchSlotPartition,
  sk: `${tenant}#${number}#${user}`,
});

/** The slots of a zone's workers that a hub, a site or a tenant has taken, by number. */
export const workerSlotPartition = (holder: string): string => `worker-slot#${holder}`;
export const workerSlotKey = (holder: string, number: number): Key => ({
  pk: workerSlotPartition(holder),
  sk: String(number),
});

/** The audit of a tenant: chains of entries, each with its head. */
export const auditPartition = (tenant: string, chain: number): string => `audit#${tenant}#${chain}`;
export const auditKey = (tenant: string, chain: number, position: number): Key => ({
  pk: auditPartition(tenant, chain),
  sk: padded(position),
});
export const auditHeadKey = (tenant: string, chain: number): Key =>
  single(`audithead#${tenant}#${chain}`);
/** Index g3: the audit entries about an object, refusals among them, in the audits of all tenants. */
export const auditObjectPartition = (id: string): string => `audited#${id}`;
/** Index g2: the audit entries of what a user did, in the audits of all tenants. */
export const auditActorPartition = (user: string): string => `acted#${user}`;
/** Index g1: the audit of a tenant in order of time. */
export const auditTenantPartition = (tenant: string): string => `audit#${tenant}`;

/** How far the deliveries of a tenant's webhooks have come in its log. */
export const webhookPartition = (tenant: string): string => `webhooks#${tenant}`;
export const webhookCursorKey = (tenant: string, webhook: string): Key => ({
  pk: webhookPartition(tenant),
  sk: webhook,
});
export const isWebhookCursor = ({ pk }: Key): boolean => pk.startsWith("webhooks#");
/** Index g2: webhooks by the time at which they are due. */
const webhookShards = 4;
export const webhookDuePartition = (webhook: string): string =>
  `webhook-due#${shardOf(webhook, webhookShards)}`;
export const webhookDuePartitions = (): string[] =>
  Array.from({ length: webhookShards }, (_, shard) => `webhook-due#${shard}`);
export const webhookDeliveryPartition = (webhook: string): string => `deliveries#${webhook}`;
export const webhookDeliveryKey = (webhook: string, number: number): Key => ({
  pk: webhookDeliveryPartition(webhook),
  sk: padded(number),
});

/** Index g1: one kind of one tenant in order of creation. */
export const tenantPartition = (kind: Kind, tenant: string): string => `${kind}#${tenant}`;
/** Index g4: one kind over all tenants, for administrators. */
export const kindPartition = (kind: Kind): string => kind;
/**
 * Index g2: operations by the time at which they are due. A partition bears 1,000 write units a second;
 * 1,000 orders a minute take 2,200 of all indexes together. Each shard is swept in a run of its own.
 */
export const dueShards = 16;
export const duePartition = (shard: number): string => `due#${shard}`;
/** Where the sweep of a shard of the due index left off, while it has not reached the shard's end. */
export const dueLeftKey = (shard: number): Key => single(`due-left#${shard}`);
/** Index g2: stuck operations. The sweep leaves them alone until a person has resumed them. */
export const stuckPartition = "stuck";
/** Index g2: operations that wait until the one before them has ended. No sweep looks for them. */
export const queuedPartition = "queued";
/** Index g2: objects of a kind whose last operation has failed, until the next one begins. */
export const failedPartition = (kind: Kind): string => `failed#${kind}`;
/** Index g2: hubs that are not ready, or cordoned, by what they are. */
export const unwellHubsPartition = "unwell-hubs";
/** Index g3: the clusters, or the hosts, of a hub. */
export const hubPartition = (hub: string, kind: Kind): string => `hub#${hub}#${kind}`;
/** Index g3: what is on a hub of the kinds that no hub reports, all in one. */
export const unreportedPartition = (hub: string): string => `hub#${hub}#unreported`;
export const targetPartition = (id: string): string => `target#${id}`;

/** A stable spread of ids over shards. */
export function shardOf(id: string, shards: number): number {
  let hash = 0;
  for (let i = 0; i < id.length; i++) hash = (hash * 31 + id.charCodeAt(i)) >>> 0;
  return hash % shards;
}

/** The index entries of an object in its present state. */
export function indexKeys(kinds: Kinds, object: ObjectOf[Kind]): Readonly<Record<string, string>> {
  const created = `${object.metadata.creation_timestamp}#${object.id}`;
  return {
    g1pk: tenantPartition(object.kind, object.metadata.tenant),
    g1sk: created,
    g4pk: kindPartition(object.kind),
    g4sk: created,
    ...(isFailed(kinds, object) && { g2pk: failedPartition(object.kind), g2sk: created }),
    ...definitionOf(kinds, object.kind).indexes?.(object, created),
  };
}

/** Whether the object's last operation has failed, and no other runs. */
const isFailed = (kinds: Kinds, object: ObjectOf[Kind]): boolean =>
  definitionOf(kinds, object.kind).isOperated === true &&
  "failure" in object &&
  object.failure !== undefined &&
  !("operation" in object && object.operation !== undefined);
