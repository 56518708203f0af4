import * as z from "zod";
import { poolUses, type Site, siteSpecSchema } from "../model/site.ts";
import { orphansSchema } from "./orphans.ts";
import { metadataSchema, metadataView } from "./wire.ts";

export const siteSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object(siteSpecSchema.shape),
  status: z.object({
    /** Pools that are nearly used up. */
    low: z.array(z.enum(poolUses)),
    /** What was found there without an owner. */
    orphans: orphansSchema.optional(),
  }),
});

/** Credentials are never answered, not even where they are. */
export function siteView(site: Site): z.output<typeof siteSchema> {
  const { credentials: _, ...spec } = site.spec;
  return { id: site.id, metadata: metadataView(site), spec, status: site.status };
}
