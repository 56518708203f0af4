import * as z from "zod";
import { lifecycleStates } from "../../kernel/object/lifecycle.ts";
import { metadataSchema, metadataView, referenceSchema } from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import { workSchema } from "../../kernel/saga/wait.ts";
import { spreadSchema, spreadVersions } from "../network-class/spread.ts";
import { plansOf } from "./addresses.ts";
import { type Subnet, subnetSpecSchema } from "./model.ts";

const states = lifecycleStates.map((state) => `SUBNET_STATE_${state}` as const);

export const subnetSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: subnetSpecSchema.extend({
    virtual_network: referenceSchema.describe("The network of the subnet."),
  }),
  status: z.object({
    state: z.enum(states).describe("Whether clusters and servers can join it."),
    message: z.string().optional().describe("What it waits for, or why it failed."),
    gateways: z.array(z.string()).optional().describe("The address of its gateway in each family."),
    addresses: z
      .object({
        total: z.int().describe("The total number for members."),
        used: z.int().describe("The number in use by members."),
        resting: z.int().describe("Recently released, not available yet."),
        free: z.int().describe("The number available to new members."),
      })
      .optional()
      .describe("Its IPv4 addresses; absent if it cannot have members."),
    ...spreadSchema,
    vlan: z.int().optional().describe("Its VLAN id on the fabric."),
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
    ...spreadVersions(subnet),
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
