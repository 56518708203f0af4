import * as z from "zod";
import { metadataSchema, metadataView } from "../../kernel/object/wire.ts";
import type { WireForm } from "../../kernel/object/wire-form.ts";
import { type Host, type HostState, hostSpecSchema, hostStates } from "./model.ts";
import { hostSpecShown, hostStatusShown } from "./shown.ts";

const states = hostStates.map((state) => `HOST_STATE_${state}` as const) as [
  HostState,
  ...HostState[],
];

export const hostSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: hostSpecSchema.extend({
    bmc: z
      .object({ address: z.string().describe("Redfish URL of the controller.") })
      .describe("Its management controller; how to log in there is never answered."),
  }),
  status: z.object({
    state: z.enum(states).describe("What the host is doing now."),
    message: z.string().optional().describe("Why, in words."),
    unschedulable: z
      .boolean()
      .optional()
      .describe("Whether it is out of service: no order gets it once its cluster has released it."),
    owner: z
      .object({
        tenant: z.string().describe("Name of the cluster's tenant."),
        kind: z
          .literal("cluster")
          .describe("The kind of its owner; today only clusters own hosts."),
        id: z.string().describe("Id of the cluster."),
        name: z.string().optional().describe("Name of the cluster."),
        node_set: z.string().describe("Name of the node set that it is in."),
      })
      .optional()
      .describe("The cluster that has it; absent for a free host."),
    agent: z
      .object({
        name: z.string().describe("Name of the Agent on the hub."),
        state: z.string().describe("What the hub says of it."),
        message: z.string().describe("What the hub says more, in words."),
        bound_to: z.string().describe("The cluster that the hub has bound it to; empty for none."),
        gone: z.boolean().describe("Whether the hub has no such Agent any more."),
      })
      .optional()
      .describe("The Agent of the hub that stands for the host."),
  }),
});

const hostView = (host: Host): z.output<typeof hostSchema> => ({
  id: host.id,
  metadata: metadataView(host),
  spec: hostSpecShown(host),
  status: hostStatusShown(host),
});

export const wire: WireForm<"host"> = {
  view: hostView,
};
