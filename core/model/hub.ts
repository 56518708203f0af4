import * as z from "zod";
import { labelsSchema } from "./metadata.ts";
import type { StoredObject } from "./object.ts";
import { type Orphans, orphanPolicies } from "./orphan.ts";

/** A management cluster. Credentials are in the secret store; the record holds the reference. */
export const hubSpecSchema = z.strictObject({
  region: z.string().min(1).max(63),
  labels: labelsSchema.optional(),
  /** API server, from the registered kubeconfig. */
  server: z.string().min(1).max(2048),
  /** Reference into the secret store: the kubeconfig. */
  credentials: z.string().min(1).max(512),
  /** Hosted control planes it can carry. */
  capacity: z.int().min(0).max(10_000),
  /** Takes no new orders; those it has go on. */
  cordoned: z.boolean().optional(),
  /** Names of clusters are `<name>.<tenant>.<base_domain>`. */
  base_domain: z.string().min(1).max(190),
  /** Id of the site that it is at; a hub without one leaves networks, names and storage to others. */
  site: z.string().min(1).max(63).optional(),
  /** Tenants it serves alone; empty means all. */
  tenants: z.array(z.string().min(1).max(63)).max(1000).optional(),
  /** What becomes of what is found on it without an owner; `report` unless told. */
  orphans: z.enum(orphanPolicies).optional(),
});
export type HubSpec = z.infer<typeof hubSpecSchema>;

export type HubState = "HUB_STATE_PENDING" | "HUB_STATE_READY" | "HUB_STATE_UNREACHABLE";

/** Changes when a hub comes or goes; its heartbeats are kept apart. */
export interface HubStatus {
  state: HubState;
  message?: string;
  /** What was found on it without an owner; absent where nothing ever was. */
  orphans?: Orphans;
}

export type Hub = StoredObject<"hub", HubSpec, HubStatus>;

/** A hub whose agent has not reported for this long takes no new orders. */
export const heartbeatTimeout = 10 * 60_000;
