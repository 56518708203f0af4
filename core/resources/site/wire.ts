import * as z from "zod";
import { systemReachSchema } from "../../at-site/reach.ts";
import { poolUses, type Site } from "../../at-site/site.ts";
import {
  conditionSchema,
  metadataSchema,
  metadataView,
  timeSchema,
} from "../../kernel/object/wire.ts";
import type { WireForm } from "../../kernel/object/wire-form.ts";
import { trendSchema } from "../../placement/capacity/trend.ts";
import { orphanSystems } from "../../ports/orphan.ts";
import { orphansSchema } from "../../ports/orphans-wire.ts";
import { siteSpecShown } from "./kind.ts";
import { siteSpecSchema } from "./model.ts";

const poolUsageSchema = z.object({
  total: z.int().describe("The total number."),
  used: z.int().describe("Held by clusters or orphans."),
  orphaned: z.int().describe("Held by orphans, or used otherwise in the allocator."),
  resting: z.int().describe("Recently released, not available yet."),
  free: z.int().describe("Available to the next order."),
  ...trendSchema,
});

export const siteSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object(siteSpecSchema.shape),
  status: z.object({
    low: z.array(z.enum(poolUses)).describe("Pools that are nearly full."),
    pools: z
      .object({
        vlans: poolUsageSchema.describe("VLAN ids."),
        prefixes: poolUsageSchema.describe("Prefixes for the networks of clusters."),
        floating_ips: poolUsageSchema.describe("Outside addresses."),
      })
      .optional()
      .describe(
        "The usage of each pool; absent without a fabric and before the allocator's first report.",
      ),
    allocator: z
      .object({
        drift: z
          .int()
          .describe("Numbers that differ from Slipway's record; an operator has to correct them."),
        items: z
          .array(
            z.object({
              pool: z.enum(poolUses).describe("The pool of the number."),
              number: z.string().describe("The VLAN id, prefix or address."),
              message: z.string().describe("Its owner, and what the allocator shows."),
            }),
          )
          .describe("The first of these."),
      })
      .optional()
      .describe(
        "The comparison of the allocator with Slipway; absent without one and before the first check.",
      ),
    inventory: z
      .object({
        servers: z.int().describe("How many servers it has."),
        attention: z.int().describe("How many of them an operator has to check."),
        items: z
          .array(
            z.object({
              server: z.string().describe("The server's id there."),
              name: z.string().describe("Its name there."),
              outcome: z
                .string()
                .describe(
                  "`unusable`: it cannot be a host. `drift`: its host differs, and stays as it is. `refused`: its host would break a rule.",
                ),
              message: z.string().describe("Why, in words."),
            }),
          )
          .describe("The first of these."),
      })
      .optional()
      .describe("The hosts from the site's inventory; absent without one."),
    orphans: orphansSchema
      .optional()
      .describe("Orphans: objects that were found there without an owner."),
    authority_ends: timeSchema
      .optional()
      .describe("When the first certificate of its authority ends; absent without one."),
    conditions: z
      .array(conditionSchema(["SITE_CONDITION_TYPE_AUTHORITY_VALID"]))
      .optional()
      .describe(
        "AUTHORITY_VALID: the authority's certificates are valid for 30 more days. Absent while true.",
      ),
    away: z
      .array(z.enum(orphanSystems))
      .optional()
      .describe("Unreachable systems, which orders wait for; absent if none."),
    systems: z
      .array(systemReachSchema)
      .optional()
      .describe("When each system last answered, the age of its data."),
  }),
});

const siteView = (site: Site): z.output<typeof siteSchema> => ({
  id: site.id,
  metadata: metadataView(site),
  spec: siteSpecShown(site),
  status: site.status,
});

export const wire: WireForm<"site"> = {
  view: siteView,
};
