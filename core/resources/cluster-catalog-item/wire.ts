import * as z from "zod";
import { metadataSchema, metadataView, referenceSchema } from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import { type ClusterCatalogItem, fieldDefinitionSchema } from "./model.ts";

export const clusterCatalogItemSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  title: z.string().optional().describe("A short title for people."),
  description: z.string().optional().describe("What one gets, for people."),
  template: referenceSchema.describe("The template that it offers."),
  published: z.boolean().describe("Whether tenants are offered it."),
  field_definitions: z
    .array(z.object(fieldDefinitionSchema.shape))
    .describe("The fields that an order by this offer may set, and their defaults."),
  tenants: z
    .array(z.string())
    .optional()
    .describe(
      "Names of the tenants that are offered it; empty or absent means all. For administrators.",
    ),
});
type ClusterCatalogItemWire = z.output<typeof clusterCatalogItemSchema>;

function clusterCatalogItemView(item: ClusterCatalogItem): ClusterCatalogItemWire {
  return { id: item.id, metadata: metadataView(item), ...item.spec };
}

/** OSAC's items are for all tenants. */
function osacClusterCatalogItem({ tenants: _, ...rest }: ClusterCatalogItemWire) {
  return rest;
}

export const wire: WireForm<"cluster_catalog_item"> = {
  view: clusterCatalogItemView,
  osac: osacOf(osacClusterCatalogItem),
};
