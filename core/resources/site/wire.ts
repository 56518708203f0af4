import * as z from "zod";
import { metadataSchema, metadataView } from "../../kernel/object/wire.ts";
import { orphansSchema } from "../../reconcile/orphans-wire.ts";
import { poolUses, type Site, siteSpecSchema } from "./model.ts";

const poolUsageSchema = z.object({
  total: z.int().describe("All of them."),
  used: z.int().describe("Those that clusters hold, and those that are orphaned."),
  orphaned: z.int().describe("Those held for what was found there without an owner."),
  resting: z.int().describe("Those given back a short while ago, which nobody gets yet."),
  free: z.int().describe("Those that the next order could have."),
});

export const siteSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object(siteSpecSchema.shape),
  status: z.object({
    low: z.array(z.enum(poolUses)).describe("Pools that are nearly used up."),
    pools: z
      .object({
        vlans: poolUsageSchema.describe("VLAN ids."),
        prefixes: poolUsageSchema.describe("Prefixes for the networks of clusters."),
        floating_ips: poolUsageSchema.describe("Outside addresses."),
      })
      .optional()
      .describe("How much of each pool is used; absent without a fabric."),
    orphans: orphansSchema.optional().describe("What was found there without an owner."),
  }),
});

/** Credentials are never answered, not even where they are. */
export function siteView(site: Site): z.output<typeof siteSchema> {
  const { credentials: _, ...spec } = site.spec;
  return { id: site.id, metadata: metadataView(site), spec, status: site.status };
}
