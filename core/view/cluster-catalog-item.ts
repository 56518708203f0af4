import * as z from "zod";
import { type ClusterCatalogItem, fieldDefinitionSchema } from "../model/cluster-catalog-item.ts";
import { metadataSchema, metadataView, referenceSchema } from "./wire.ts";

export const clusterCatalogItemSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  title: z.string().optional(),
  description: z.string().optional(),
  template: referenceSchema,
  published: z.boolean(),
  field_definitions: z.array(z.object(fieldDefinitionSchema.shape)),
  /** Administrators only. */
  tenants: z.array(z.string()).optional(),
});
type ClusterCatalogItemWire = z.output<typeof clusterCatalogItemSchema>;

export function clusterCatalogItemView(item: ClusterCatalogItem): ClusterCatalogItemWire {
  return { id: item.id, metadata: metadataView(item), ...item.spec };
}

/** OSAC's items are everybody's. */
export function osacClusterCatalogItem({ tenants: _, ...rest }: ClusterCatalogItemWire) {
  return rest;
}
