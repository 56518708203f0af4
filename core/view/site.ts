import * as z from "zod";
import { poolUses, type Site, siteSpecSchema } from "../model/site.ts";
import { orphansSchema } from "./orphans.ts";
import { metadataSchema, metadataView } from "./wire.ts";

export const siteSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object(siteSpecSchema.shape),
  status: z.object({
    low: z.array(z.enum(poolUses)).describe("Pools that are nearly used up."),
    orphans: orphansSchema.optional().describe("What was found there without an owner."),
  }),
});

/** Credentials are never answered, not even where they are. */
export function siteView(site: Site): z.output<typeof siteSchema> {
  const { credentials: _, ...spec } = site.spec;
  return { id: site.id, metadata: metadataView(site), spec, status: site.status };
}
