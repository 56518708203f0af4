import * as z from "zod";
import { lifecycleStates } from "../../kernel/object/lifecycle.ts";
import { metadataSchema, metadataView, referenceSchema } from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import { workSchema } from "../../kernel/saga/wait.ts";
import { spreadSchema, spreadVersions } from "../network-class/spread.ts";
import { type VirtualNetwork, virtualNetworkSpecSchema } from "./model.ts";

const states = lifecycleStates.map((state) => `VIRTUAL_NETWORK_STATE_${state}` as const);

export const virtualNetworkSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: virtualNetworkSpecSchema.extend({
    network_class: referenceSchema.optional().describe("The class that implements it."),
  }),
  status: z.object({
    state: z.enum(states).describe("Whether subnets can be created in it."),
    message: z.string().optional().describe("What it waits for, or why it failed."),
    vni: z.int().optional().describe("Its VNI in an overlay."),
    ...spreadSchema,
    ...workSchema,
  }),
});

const virtualNetworkView = (network: VirtualNetwork): z.output<typeof virtualNetworkSchema> => ({
  id: network.id,
  metadata: metadataView(network),
  spec: network.spec,
  status: {
    ...network.status,
    ...(network.vni !== undefined && { vni: network.vni }),
    ...spreadVersions(network),
    ...(network.operation !== undefined && { operation: network.operation }),
  },
});

/** The network for OSAC, which has no class and no state after deletion. */
function osacNetwork({ spec, status, ...rest }: z.output<typeof virtualNetworkSchema>) {
  const { network_class: _, ...prefixes } = spec;
  const { state, message } = status;
  return {
    ...rest,
    spec: prefixes,
    status: { state, ...(message !== undefined && { message }) },
  };
}

export const wire: WireForm<"virtual_network"> = {
  view: virtualNetworkView,
  osac: osacOf(osacNetwork),
};
