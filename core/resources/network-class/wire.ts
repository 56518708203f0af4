import * as z from "zod";
import { metadataSchema, metadataView, referenceSchema } from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import {
  classPools,
  type NetworkClass,
  networkClassSettingsSchema,
  networkClassTextSchema,
} from "./model.ts";
import { classSettingsShown, classTextShown } from "./shown.ts";

const usageSchema = z.object({
  total: z.int().describe("The total number."),
  used: z.int().describe("The number in use."),
  resting: z.int().describe("Recently released, not available yet."),
  free: z.int().describe("The number available."),
});

export const networkClassSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  title: networkClassTextSchema.title,
  description: networkClassTextSchema.description,
  implementation_strategy: networkClassTextSchema.implementation_strategy,
  is_default: z.boolean().describe("Whether it is the default of orders."),
  capabilities: z
    .object({
      supports_ipv4: z.boolean().describe("Whether networks may have IPv4 prefixes."),
      supports_ipv6: z.boolean().describe("Whether networks may have IPv6 prefixes."),
      supports_dual_stack: z.boolean().describe("Whether a network may have both."),
      dpu_support: z.boolean().describe("Whether DPUs of servers implement it."),
    })
    .describe("The features of its networks."),
  spec: z.object({
    ...networkClassSettingsSchema.shape,
    site: referenceSchema.optional().describe("The site whose fabric makes its networks."),
    hub: referenceSchema.optional().describe("The hub that carries its networks."),
  }),
  status: z.object({
    state: z
      .literal("NETWORK_CLASS_STATE_READY")
      .describe("Whether networks of it can be ordered."),
    low: z
      .array(z.enum(classPools))
      .optional()
      .describe("Its pools with fewer free numbers than their low mark."),
    prefix_pools: z
      .object({
        ipv4: usageSchema.optional().describe("The IPv4 prefixes."),
        ipv6: usageSchema.optional().describe("The IPv6 prefixes."),
      })
      .optional()
      .describe("The usage of its pools of prefixes."),
    vnis: usageSchema.optional().describe("How many VNIs are in use."),
  }),
});

const networkClassView = (object: NetworkClass): z.output<typeof networkClassSchema> => ({
  id: object.id,
  metadata: metadataView(object),
  ...classTextShown(object),
  spec: classSettingsShown(object),
  status: object.status,
});

/** The class for OSAC, whose settings differ. */
function osacClass({ status, ...rest }: z.output<typeof networkClassSchema>) {
  const { low: _, ...osacStatus } = status;
  return { ...rest, spec: {}, status: osacStatus };
}

export const wire: WireForm<"network_class"> = {
  view: networkClassView,
  osac: osacOf(osacClass),
};
