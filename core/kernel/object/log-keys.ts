import type { Key } from "../store/store.ts";
import { padded, shardOf, single } from "./key-parts.ts";
import type { Kind } from "./object.ts";

/** Keys of the event log, the audit, and webhooks. */

/**
 * A tenant's event log: entries by their positions. They are spread over shards, by the objects of their events, so
 * that a tenant with many changes has no hot partition.
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
/** Index g2: the audit entries of a user's requests, in the audits of all tenants. */
export const auditActorPartition = (user: string): string => `acted#${user}`;
/** Index g1: the audit of a tenant in order of time. */
export const auditTenantPartition = (tenant: string): string => `audit#${tenant}`;

/** The position in a tenant's log up to which its webhooks were delivered. */
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
