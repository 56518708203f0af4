import * as z from "zod";
import { metadataSchema, metadataView, referenceSchema } from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import { type ExternalIpPool, externalIpPoolSettingsSchema } from "./model.ts";

/** The systems that can make the addresses of a pool reachable. */
export const poolStrategies = ["fabric", "overlay"] as const;

export const externalIpPoolSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  // Tenants see only the family.
  spec: externalIpPoolSettingsSchema.partial().extend({
    ip_family: externalIpPoolSettingsSchema.shape.ip_family,
    rest_minutes: z.int().optional().describe("Minutes that a released address rests."),
    site: referenceSchema.optional().describe("The site whose outside network has the addresses."),
    implementation_strategy: z
      .enum(poolStrategies)
      .optional()
      .describe(
        "What implements its addresses: a site's fabric or, without a site, the DPUs of servers in overlays.",
      ),
  }),
  status: z.object({
    state: z
      .literal("EXTERNAL_IP_POOL_STATE_READY")
      .describe("Whether its addresses can be ordered."),
    low: z.boolean().optional().describe("Whether free addresses are below the low mark."),
    total: z.int().optional().describe("Number of its addresses."),
    allocated: z.int().optional().describe("Addresses in use."),
    resting: z.int().optional().describe("Recently released addresses, not available yet."),
    available: z.int().optional().describe("Addresses available to the next orders."),
  }),
});

/** The system that makes the addresses of a pool reachable. */
export const strategyOf = ({
  spec,
}: Pick<ExternalIpPool, "spec">): (typeof poolStrategies)[number] =>
  spec.site ? "fabric" : "overlay";

const externalIpPoolView = (pool: ExternalIpPool): z.output<typeof externalIpPoolSchema> => ({
  id: pool.id,
  metadata: metadataView(pool),
  spec: { ...pool.spec, implementation_strategy: strategyOf(pool) },
  status: pool.status,
});

type Wire = z.output<typeof externalIpPoolSchema>;

/** The pool for OSAC, which knows no sites, marks and rests. */
function osacPool({ spec, status, ...rest }: Wire) {
  const { site: _, low_mark: __, rest_minutes: ___, ...osacSpec } = spec;
  const { low: ____, resting: _____, ...osacStatus } = status;
  return { ...rest, spec: osacSpec, status: osacStatus };
}

/** OSAC's counts are 64-bit integers, which its JSON has as strings. */
const osacCounts = ({ total, allocated, available }: Record<string, unknown>) => ({
  total: String(total),
  allocated: String(allocated),
  available: String(available),
});

export const wire: WireForm<"external_ip_pool"> = {
  view: externalIpPoolView,
  osac: osacOf(osacPool),
  osacLive: osacCounts,
};
