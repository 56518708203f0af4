import { createHash } from "node:crypto";
import type { Key } from "../store/store.ts";
import { padded, shardOf, single } from "./key-parts.ts";
import { definitionOf, type Kinds } from "./kind.ts";
import type { Label } from "./metadata.ts";
import type { Kind } from "./object.ts";
import type { ObjectOf } from "./object-of.ts";
import { parentPath } from "./project.ts";

/**
 * Keys of objects, of their claims and counters, and of indexes. The files beside this one have the table's other keys:
 * of hubs, of numbers, and of logs.
 */

export const objectKey = (kind: Kind, id: string): Key => single(`${kind}#${id}`);
/** A deleted object, kept in the archive for a while: for its history and its last event. */
export const archiveKey = (kind: Kind, id: string): Key => single(`archive#${kind}#${id}`);
/**
 * The earlier archived object of an id that was used again, by the sequence of its last event; the next
 * deletion would overwrite it otherwise.
 */
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
/** The claim of a project's path. A project counts as an object of its parent. */
export const projectNameKey = (tenant: string, path: string): Key =>
  nameKey("project", tenant, parentPath(path) ?? "", path);
/**
 * The objects of a kind in projects of a tenant, by path and in order of creation. Only ids, because an index
 * may lag.
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
 * Indexes g2 and g3: the entries of the objects that have a label of this key with any value, in order of creation, and
 * by project. No label's key has a '=' in it.
 */
export const labelKeyPartition = (kind: Kind, tenant: string, key: string): string =>
  `label#${kind}#${tenant}#${key}`;
/** Index g4: the entries of a label in all tenants. No tenant has an empty name, so these partitions are apart. */
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
/** The role bindings of a user, separate from the memberships; no id contains a '#'. */
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
/** The user that a username in tokens means: the record's id, and whether the user may call the API. */
export const userKey = (tenant: string, username: string): Key =>
  single(`user-of#${tenant}#${username}`);
/** The claim of an object's name on systems outside. */
export const infraKey = (infraId: string): Key => single(`infra#${infraId}`);
/** The claim of a server's management controller, by the text of its address. */
export const controllerKey = (address: string): Key => single(`controller#${address}`);
/** The holders of a management controller's systems, by the controller's host and port. */
export const controllerAtKey = (place: string): Key => single(`controller-at#${place}`);
/** Marks that every host and DPU has claimed the place that its controller's address means. */
export const controllersClaimedKey: Key = single("controllers-claimed");
/** The host or DPU of a server, by a name that the server's controller reports. */
export const identityKey = (sort: string, name: string): Key =>
  single(`identity#${sort}:${shortened(name)}`);
/** Marks that every host and DPU has claimed its server. */
export const identitiesClaimedKey: Key = single("identities-claimed");
/** The host that has a NIC, by MAC address. */
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
/** Whether two ids use the same counter shards, both as objects and as users of another object. */
export const areCountedAlike = (one: string, other: string): boolean =>
  shardOf(one, useShards) === shardOf(other, useShards) &&
  shardOf(one, countShards) === shardOf(other, countShards);
/** The users of an object, an item each, for kinds whose refused deletions name users. */
export const usersPartition = (kind: Kind, id: string): string => `used-by#${kind}#${id}`;
/** The sort key is the partition of the user. */
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

/** The claim of a network's NAT gateway: a network has one at most. */
export const natGatewayKey = (network: string): Key => single(`nat-gateway-of#${network}`);

/** The DPUs that have a part of an overlay network, or may still have one. */
export const overlayEndPartition = (network: string): string => `overlay-end#${network}`;
export const overlayEndKey = (network: string, dpu: string): Key => ({
  pk: overlayEndPartition(network),
  sk: dpu,
});

/** The prefixes of the pools of outside addresses at a site, by pool; `undefined`: of the pools without a site. */
export const outsidePrefixesKey = (site: string | undefined): Key =>
  single(`outside-prefixes#${site ?? ""}`);

/** The claim of a version's number: a tenant has each number once. */
export const versionKey = (tenant: string, version: string): Key =>
  single(`version#${tenant}#${version}`);

/** The claim of a cluster's name in DNS. */
export const domainKey = (domain: string): Key => single(`domain#${domain}`);

/** A maintenance switch of the whole deployment. */
export const switchKey = (name: string): Key => single(`setting#${name}`);

/** The use of a limited resource on each of the last days, by the name of the resource. */
export const trendKey = (name: string): Key => ({ pk: "trend", sk: name });
/** The trend of a hub's control planes and hosts. */
export const hubTrendKey = (hub: string): Key => trendKey(`hub#${hub}#`);
/** The last day on which trends were recorded. */
export const trendsNotedKey: Key = single("trends-noted");

/** A queue: tickets in order of arrival. */
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

/** The machine that a machine token is for, by the token's hash. */
export const machineTokenKey = (hash: string): Key => single(`machine-token#${hash}`);
/** A machine's token, by the machine. */
export const machineTokenOfKey = (kind: Kind, id: string): Key =>
  single(`machine-token-of#${kind}#${id}`);

/** The slots of the watches that are open. A user's slots are numbered; no tenant has a '#' in its name. */
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
/** The position of an unfinished sweep in its shard of the due index. */
export const dueLeftKey = (shard: number): Key => single(`due-left#${shard}`);
/**
 * Timers by time, in as many shards as the due index. The sweep of a shard of the due index also reads the timers of
 * the same number.
 */
export const timerPartition = (shard: number): string => `timer#${shard}`;
export const isTimer = ({ pk }: Key): boolean => pk.startsWith("timer#");
/** Index g2: stuck operations. The sweep skips them until an operator has resumed them. */
export const stuckPartition = "stuck";
/** Index g2: operations that wait until the operation before them has ended. The sweep does not read them. */
export const queuedPartition = "queued";
/**
 * Index g2: objects of a kind whose last operation has failed, or that are out of service, until the next one begins.
 */
export const failedPartition = (kind: Kind): string => `failed#${kind}`;
/** Index g2: hubs that are not ready or are cordoned, by their state. */
export const unwellHubsPartition = "unwell-hubs";
/** Index g3: the clusters, or the hosts, of a hub. */
export const hubPartition = (hub: string, kind: Kind): string => `hub#${hub}#${kind}`;
/** Index g3: the objects on a hub of all kinds that hubs do not report, in one partition. */
export const unreportedPartition = (hub: string): string => `hub#${hub}#unreported`;
export const targetPartition = (id: string): string => `target#${id}`;

/**
 * Index g2: the objects of a kind by the members in `foundBy` of its definition, in that order. Objects whose last
 * operation has failed, or that are out of service, are in `failedPartition` instead, under the same keys.
 */
export const foundPartition = (kind: Kind): string => `found#${kind}`;
/** The prefix of the keys of all objects with these values of the first members. */
export const foundPrefix = (values: readonly string[]): string =>
  values.map((value) => `${shortened(value)}#`).join("");

/** A value as a part of a key: unchanged, or its hash where it is long or has separators of keys. */
const shortened = (value: string): string =>
  /^[\w.-]{1,63}$/.test(value)
    ? value
    : `~${createHash("sha256").update(value).digest("base64url").slice(0, 22)}`;

/** Index g2: webhooks whose receivers refuse deliveries, by the start of the failure. */
export const failingWebhooksPartition = "failing-webhooks";

/** Clusters whose ingress certificate was not renewed in time. */
export const unrenewedPartition = "unrenewed-clusters";
export const unrenewedKey = (cluster: string): Key => ({ pk: unrenewedPartition, sk: cluster });

/** Index g3: objects of a kind by the time at which a certificate or credential of theirs expires. */
export const endsPartition = (kind: Kind): string => `ends#${kind}`;

/** The index entries of an object in its present state. */
export function indexKeys(kinds: Kinds, object: ObjectOf[Kind]): Readonly<Record<string, string>> {
  const { kind, id, metadata } = object;
  const created = `${metadata.creation_timestamp}#${id}`;
  const { foundBy, isListedByName, indexes } = definitionOf(kinds, kind).stored ?? {};
  const values = foundBy?.map(({ of, liesAs }) => liesAs?.[of(object)] ?? of(object));
  const found = values && { g2pk: foundPartition(kind), g2sk: foundPrefix(values) + created };
  return {
    g1pk: tenantPartition(kind, metadata.tenant),
    g1sk: isListedByName ? `${metadata.name}#${id}` : created,
    g4pk: kindPartition(kind),
    g4sk: created,
    ...found,
    ...(isFailed(kinds, object) && { g2pk: failedPartition(kind), g2sk: found?.g2sk ?? created }),
    ...indexes?.(object, created),
  };
}

/** Whether the object's last operation has failed, or the object is out of service, and no operation runs. */
function isFailed(kinds: Kinds, object: ObjectOf[Kind]): boolean {
  if ("operation" in object && object.operation !== undefined) return false;
  const { isOperated, isOutOfService } = definitionOf(kinds, object.kind);
  const hasFailed = isOperated === true && "failure" in object && object.failure !== undefined;
  return hasFailed || isOutOfService?.(object) === true;
}
