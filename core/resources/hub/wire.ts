import * as z from "zod";
import {
  conditionSchema,
  conditionView,
  metadataSchema,
  metadataView,
  timeSchema,
} from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import { trendSchema } from "../../placement/capacity/trend.ts";
import { orphansSchema } from "../../ports/orphans-wire.ts";
import {
  credentialsValid,
  type Hub,
  type HubConditionType,
  type HubState,
  hubConditionTypes,
  hubSpecSchema,
  hubStates,
} from "./model.ts";
import { hubSpecShown, hubStatusShown } from "./shown.ts";

const states = hubStates.map((state) => `HUB_STATE_${state}` as const) as [HubState, ...HubState[]];
const types = hubConditionTypes.map((type) => `HUB_CONDITION_TYPE_${type}` as const) as [
  HubConditionType,
  ...HubConditionType[],
];

/** The hosts of one type on one hub. */
const hostUsageSchema = z.object({
  total: z.int().describe("Number of hosts."),
  free: z.int().describe("Available to the next order."),
  reserved: z.int().describe("Held by orders."),
  kept: z.int().describe("Free, reserved for tenants by allocations."),
  unavailable: z.int().describe("All others: being reclaimed, out of service, or not discovered."),
  ...trendSchema,
});

export const lastErrorSchema = z
  .object({
    time: timeSchema.describe("When it began."),
    message: z.string().describe("The error, in words."),
  })
  .describe("The last failure to reach it; kept after Slipway reaches it again.");

export const hubSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object(hubSpecSchema.omit({ credentials: true }).shape),
  status: z.object({
    state: z.enum(states).describe("Whether orders can be placed on it."),
    message: z.string().optional().describe("Why, in words."),
    conditions: z
      .array(conditionSchema([...types, credentialsValid]))
      .optional()
      .describe(
        "HEARD: its agent reports. REACHED: its API server answers Slipway. OBSERVED: its agent watches every kind; absent until first false. CREDENTIALS_VALID: false from 30 days before Slipway's credentials expire; otherwise absent.",
      ),
    last_heard_time: timeSchema.optional().describe("When its agent last reported."),
    agent_version: z.string().optional().describe("The version of its agent."),
    last_reached_time: timeSchema
      .optional()
      .describe("When Slipway last reached it, to within a quarter of an hour."),
    last_error: lastErrorSchema.optional(),
    control_planes: z
      .object({
        total: z.int().describe("Its capacity of control planes."),
        used: z.int().describe("Number of control planes in use."),
        free: z.int().describe("Number of control planes that are free."),
        ...trendSchema,
      })
      .optional()
      .describe("The control planes of clusters."),
    hosts: z
      .array(hostUsageSchema.extend({ host_type: z.string().describe("Name of the type.") }))
      .optional()
      .describe("Its hosts, by type."),
    orphans: orphansSchema
      .optional()
      .describe("Orphans: objects that were found there without an owner."),
  }),
});
type HubWire = z.output<typeof hubSchema>;

function hubView(hub: Hub): HubWire {
  const { conditions, ...status } = hubStatusShown(hub);
  return {
    id: hub.id,
    metadata: metadataView(hub),
    spec: hubSpecShown(hub),
    status: { ...status, ...(conditions ? { conditions: conditions.map(conditionView) } : {}) },
  };
}

/** OSAC's hubs have a namespace, and a kubeconfig that is never in an answer. */
function osacHub({ id, metadata, spec: { namespace } }: HubWire) {
  return { id, metadata, spec: { ...(namespace === undefined ? {} : { namespace }) }, status: {} };
}

export const wire: WireForm<"hub"> = {
  view: hubView,
  osac: osacOf(osacHub),
};
