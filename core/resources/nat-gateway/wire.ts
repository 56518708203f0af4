import * as z from "zod";
import { lifecycleStates } from "../../kernel/object/lifecycle.ts";
import { metadataSchema, metadataView, referenceSchema } from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import { workSchema } from "../../kernel/saga/wait.ts";
import type { NatGateway } from "./model.ts";

const states = lifecycleStates.map((state) => `NAT_GATEWAY_STATE_${state}` as const);

export const natGatewaySchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    virtual_network: referenceSchema.describe("The network of the gateway."),
    external_ip: referenceSchema.describe("The outside address of the network."),
  }),
  status: z.object({
    state: z.enum(states).describe("Whether the network reaches the outside."),
    message: z.string().optional().describe("What it waits for, or why it failed."),
    external_ip_address: z.string().describe("The outside address of the network."),
    ...workSchema,
  }),
});

const natGatewayView = (gateway: NatGateway): z.output<typeof natGatewaySchema> => ({
  id: gateway.id,
  metadata: metadataView(gateway),
  spec: gateway.spec,
  status: {
    ...gateway.status,
    ...(gateway.operation !== undefined && { operation: gateway.operation }),
  },
});

/** The gateway for OSAC, whose status has only the state and its message. */
function osacNatGateway({ status, ...rest }: z.output<typeof natGatewaySchema>) {
  const { operation: _, external_ip_address: __, ...osacStatus } = status;
  return { ...rest, status: osacStatus };
}

export const wire: WireForm<"nat_gateway"> = {
  view: natGatewayView,
  osac: osacOf(osacNatGateway),
};
