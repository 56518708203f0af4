import * as z from "zod";
import { lifecycleStates } from "../../kernel/object/lifecycle.ts";
import { metadataSchema, metadataView, referenceSchema } from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import { workSchema } from "../../kernel/saga/wait.ts";
import { spreadSchema, versionsOf } from "../network-class/spread.ts";
import { plansOf } from "./addresses.ts";
import { type Subnet, subnetSpecSchema } from "./model.ts";

const states = lifecycleStates.map((state) => `SUBNET_STATE_${state}` as const);

export const subnetSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: subnetSpecSchema.extend({
    virtual_network: referenceSchema.describe("The network that it is a part of."),
  }),
  status: z.object({
    state: z.enum(states).describe("Whether things can be put into it."),
    message: z.string().optional().describe("What it waits for, or why it failed."),
    gateways: z
      .array(z.string())
      .optional()
      .describe("The address of its gateway, in each family that it has."),
    addresses: z
      .object({
        total: z.int().describe("How many members can have, without those of the network itself."),
        used: z.int().describe("How many members have."),
        resting: z.int().describe("How many were released a short while ago and rest."),
        free: z.int().describe("How many new members could get."),
      })
      .optional()
      .describe("Its IPv4 addresses; absent where nothing can stand in it."),
    ...spreadSchema,
    vlan: z.int().optional().describe("The VLAN id that it has on the fabric."),
    ...workSchema,
  }),
});

const subnetView = (subnet: Subnet): z.output<typeof subnetSchema> => ({
  id: subnet.id,
  metadata: metadataView(subnet),
  spec: subnet.spec,
  status: {
    ...subnet.status,
    gateways: plansOf(subnet.spec).map(({ gateway }) => gateway),
    ...versionsOf(subnet),
    ...(subnet.site?.vlan !== undefined && { vlan: subnet.site.vlan }),
    ...(subnet.operation !== undefined && { operation: subnet.operation }),
  },
});

/** The status for OSAC, which has only the state. */
function osacSubnet({ status: { state, message }, ...rest }: z.output<typeof subnetSchema>) {
  return { ...rest, status: { state, ...(message !== undefined && { message }) } };
}

export const wire: WireForm<"subnet"> = {
  view: subnetView,
  osac: osacOf(osacSubnet),
};
