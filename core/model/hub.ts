import * as z from "zod";
import { labelsSchema } from "./metadata.ts";
import type { StoredObject } from "./object.ts";
import { type Orphans, orphanPolicies } from "./orphan.ts";

/** A management cluster. Credentials are in the secret store; the record holds the reference. */
export const hubSpecSchema = z.strictObject({
  region: z.string().min(1).max(63).describe("Region that it is in; orders may ask for one."),
  labels: labelsSchema.optional().describe("Labels that orders may ask for."),
  server: z
    .string()
    .min(1)
    .max(2048)
    .describe("URL of its API server, from the registered kubeconfig."),
  /** Reference into the secret store: the kubeconfig. */
  credentials: z.string().min(1).max(512),
  capacity: z.int().min(0).max(10_000).describe("How many hosted control planes it can carry."),
  cordoned: z.boolean().optional().describe("Takes no new orders when true; those it has go on."),
  base_domain: z
    .string()
    .min(1)
    .max(190)
    .describe(
      "Names of clusters are `<name>.<tenant>.<base_domain>`, in projects `<name>.<project>.<tenant>.<base_domain>`.",
    ),
  site: z
    .string()
    .min(1)
    .max(63)
    .optional()
    .describe(
      "Id of the site that it is at; a hub without one leaves networks, names and storage to others.",
    ),
  tenants: z
    .array(z.string().min(1).max(63))
    .max(1000)
    .optional()
    .describe("Names of the tenants that it serves alone; empty means all."),
  orphans: z
    .enum(orphanPolicies)
    .optional()
    .describe("What becomes of what is found on it without an owner; `report` unless told."),
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
