import * as z from "zod";
import {
  conditionSchema,
  conditionView,
  metadataSchema,
  metadataView,
  timeSchema,
} from "../../kernel/object/wire.ts";
import { orphansSchema } from "../../reconcile/orphans-wire.ts";
import {
  type Hub,
  type HubConditionType,
  type HubState,
  hubConditionTypes,
  hubSpecSchema,
  hubStates,
  lackingIn,
} from "./model.ts";

const states = hubStates.map((state) => `HUB_STATE_${state}` as const) as [HubState, ...HubState[]];
const types = hubConditionTypes.map((type) => `HUB_CONDITION_TYPE_${type}` as const) as [
  HubConditionType,
  ...HubConditionType[],
];

/** Hosts of one type on one hub. */
export const hostUsageSchema = z.object({
  total: z.int().describe("All of them."),
  free: z.int().describe("How many the next order could get."),
  reserved: z.int().describe("How many are held by clusters."),
  unavailable: z
    .int()
    .describe("Neither: those that are reclaimed, out of service or not discovered."),
});

export const hubSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object(hubSpecSchema.omit({ credentials: true }).shape),
  status: z.object({
    state: z.enum(states).describe("Whether orders can be placed on it."),
    message: z.string().optional().describe("Why, in words."),
    conditions: z
      .array(conditionSchema(types))
      .optional()
      .describe("HEARD: its agent reports. REACHED: its API server answers Slipway."),
    last_heard_time: timeSchema.optional().describe("When its agent last reported."),
    agent_version: z.string().optional().describe("The version of its agent."),
    last_reached_time: timeSchema
      .optional()
      .describe("When Slipway last reached it, to within a quarter of an hour."),
    control_planes: z
      .object({
        total: z.int().describe("How many it can carry."),
        used: z.int().describe("How many it carries."),
        free: z.int().describe("How many more it can take."),
      })
      .optional()
      .describe("The control planes of clusters."),
    hosts: z
      .array(hostUsageSchema.extend({ host_type: z.string().describe("Name of the type.") }))
      .optional()
      .describe("Hosts that are cabled to it, by type."),
    orphans: orphansSchema
      .optional()
      .describe("Orphans: objects that were found there without an owner."),
  }),
});
type HubWire = z.output<typeof hubSchema>;

/** Credentials are never answered, not even where they are. */
export function hubView(hub: Hub): HubWire {
  const { credentials: _, ...spec } = hub.spec;
  return { id: hub.id, metadata: metadataView(hub), spec, status: statusOf(hub) };
}

/** Whether it reports is of no interest before it can get orders. */
function statusOf({ spec, status: { conditions, ...rest } }: Hub): HubWire["status"] {
  const status = { ...rest, ...(conditions ? { conditions: conditions.map(conditionView) } : {}) };
  const lacking = lackingIn(spec).map((member) => `spec.${member}`);
  if (lacking.length === 0) return status;
  const message = `no order is placed on this hub until it has ${lacking.join(", ")}`;
  return { ...status, state: "HUB_STATE_INCOMPLETE", message };
}

/** OSAC's hubs have a kubeconfig, which is never answered, and a namespace. */
export function osacHub({ id, metadata, spec: { namespace } }: HubWire) {
  return { id, metadata, spec: { ...(namespace === undefined ? {} : { namespace }) }, status: {} };
}
