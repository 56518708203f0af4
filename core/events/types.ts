import type { Kind } from "../model/object.ts";

/** Every type of event that there is. */

type Change =
  | "created"
  | "updated"
  | "deleting"
  | "deleted"
  /** Asked for by a webhook's owner; in no log. */
  | "test"
  | Turn;
/** An update that means more than others. */
export type Turn = "ready" | "failed" | "started" | "succeeded" | "cancelled" | "stuck";

export const eventType = (kind: Kind, change: Change): string => `slipway.${kind}.${change}.v1`;

const common = ["created", "updated", "deleted"] as const;

/**
 * Hosts have none: they change with every word of a hub. Of hubs and sites the provider's
 * administrators are told.
 */
export const eventChanges: Record<Kind, readonly Change[]> = {
  cluster: [...common, "ready", "failed", "deleting"],
  cluster_template: common,
  cluster_version: common,
  host_type: common,
  hub: common,
  host: [],
  site: common,
  tenant: common,
  project: common,
  project_membership: common,
  quota: common,
  cluster_catalog_item: common,
  operation: ["created", "updated", "started", "succeeded", "failed", "cancelled", "stuck"],
  webhook: [...common, "test"],
};

export const hasEvents = (kind: Kind): boolean => eventChanges[kind].length > 0;
