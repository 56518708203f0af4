import * as z from "zod";
import { dnsNameSchema } from "../../kernel/input/text.ts";
import type { Condition } from "../../kernel/object/condition.ts";
import { labelsSchema } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import { isUnreached } from "../../placement/hubs/hub.ts";
import { type Orphans, orphanPolicies } from "../../ports/orphan.ts";

/** A management cluster. Its credentials are in the secret store; the record has the reference. */
export const hubSpecSchema = z.strictObject({
  region: z
    .string()
    .min(1)
    .max(63)
    .optional()
    .describe("Region that it is in; orders may ask for one."),
  labels: labelsSchema.optional().describe("Labels that orders may ask for."),
  server: z
    .string()
    .min(1)
    .max(2048)
    .describe("URL of its API server, from the registered kubeconfig."),
  cluster_uid: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe("UID of its namespace `kube-system`, to detect a second registration."),
  credentials_end: z
    .string()
    .optional()
    .describe(
      "When Slipway's credentials expire; absent if unknown. Written by Slipway, from the kubeconfig.",
    ),
  /** Reference into the secret store: the kubeconfig. */
  credentials: z.string().min(1).max(512),
  capacity: z
    .int()
    .min(0)
    .max(10_000)
    .optional()
    .describe("How many hosted control planes it can carry."),
  cordoned: z
    .boolean()
    .optional()
    .describe("Whether it is cordoned: it takes no new orders; running clusters are not affected."),
  base_domain: dnsNameSchema(190)
    .optional()
    .describe(
      "Names of clusters are `<name>.<tenant>.<base_domain>`, in projects `<name>.<project>.<tenant>.<base_domain>`.",
    ),
  namespace: z
    .string()
    .max(63)
    .optional()
    .describe("Namespace of OSAC's operator there; stored without effect."),
  site: z
    .string()
    .min(1)
    .max(63)
    .optional()
    .describe("Id of its site; on a hub without one, others set up networks, names and storage."),
  tenants: z
    .array(z.string().min(1).max(63))
    .max(1000)
    .optional()
    .describe("Names of the tenants that may use it; empty means all."),
  hot_pools: z
    .record(
      z.string().min(1).max(63),
      z
        .strictObject({
          min: z
            .int()
            .min(0)
            .max(10_000)
            .describe("Minimum number of free hosts kept discovered; 0: none."),
          max: z.int().min(0).max(10_000).describe("Maximum number of free hosts switched on."),
        })
        .refine(({ min, max }) => min <= max, { path: ["max"], error: "must not be below min" }),
    )
    .optional()
    .describe(
      "By host type: the number of free hosts kept ready, of those that Slipway switches on. Types without an entry: all.",
    ),
  orphans: z
    .enum(orphanPolicies)
    .optional()
    .describe("What to do with orphans on the hub: objects without an owner; `report` by default."),
});
export type HubSpec = z.infer<typeof hubSpecSchema>;

/** The states of a hub. A hub without a required setting is INCOMPLETE, regardless of its conditions. */
export const hubStates = ["INCOMPLETE", "PENDING", "READY", "UNREACHABLE"] as const;
export type HubState = `HUB_STATE_${(typeof hubStates)[number]}`;

/**
 * HEARD: the hub's agent reports to Slipway. REACHED: Slipway reaches the hub's API server. OBSERVED: the agent
 * watches every kind; this condition is absent until the agent first fails to.
 */
export const hubConditionTypes = ["HEARD", "REACHED", "OBSERVED"] as const;
export type HubConditionType = `HUB_CONDITION_TYPE_${(typeof hubConditionTypes)[number]}`;

/**
 * Whether Slipway's credentials for the hub are valid for at least 30 days more. It follows from the clock, so it is
 * never stored.
 */
export const credentialsValid = "HUB_CONDITION_TYPE_CREDENTIALS_VALID";
export const ofCredentials = "what Slipway logs in with there";

/**
 * The status changes only when a hub stops or resumes answering; the times of its last report and last answer are
 * stored apart.
 */
export interface HubStatus {
  state: HubState;
  message?: string;
  /** Absent until the hub has reported or been called. */
  conditions?: Condition<HubConditionType>[];
  /** The orphans on the hub; absent if none was ever found. */
  orphans?: Orphans;
}

export type Hub = StoredObject<"hub", HubSpec, HubStatus>;

const conditionOf = ({ status }: Pick<Hub, "status">, type: HubConditionType) =>
  status.conditions?.find((condition) => condition.type === type);

export const isHeard = (hub: Pick<Hub, "status">): boolean =>
  conditionOf(hub, "HUB_CONDITION_TYPE_HEARD")?.status === "CONDITION_STATUS_TRUE";

/** Since when the hub's agent cannot watch every kind, by the hub's record; undefined while it can. */
export function unobservedSince(hub: Pick<Hub, "status">): string | undefined {
  const observed = conditionOf(hub, "HUB_CONDITION_TYPE_OBSERVED");
  return observed?.status === "CONDITION_STATUS_FALSE" ? observed.last_transition_time : undefined;
}

/** Why a hub is not reached: it does not answer, or it refuses Slipway. */
export type UnreachedReason = "NotReached" | "Refused";

/** Whether a hub does not answer at all. It gets no calls until a sweep gets an answer. */
export const isAway = (hub: Pick<Hub, "status">): boolean =>
  isUnreached(hub) &&
  conditionOf(hub, "HUB_CONDITION_TYPE_REACHED")?.reason ===
    ("NotReached" satisfies UnreachedReason);

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    hub: Hub;
  }
}
