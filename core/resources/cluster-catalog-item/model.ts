import * as z from "zod";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";

/** An offer over a template: the fields that an order may set, their defaults, and the fixed ones. */
export const fieldDefinitionSchema = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(253)
    .describe("Path below a cluster's spec, such as `node_sets.workers.size`."),
  display_name: z.string().max(128).optional().describe("The field's name on a form."),
  editable: z
    .boolean()
    .optional()
    .describe("Whether an order may set it; one that may not needs a default."),
  default: z.json().optional().describe("The default value."),
  validation_schema: z
    .string()
    .max(16_384)
    .optional()
    .describe("JSON Schema of the value, as text."),
});
export type FieldDefinition = z.infer<typeof fieldDefinitionSchema>;

export interface ClusterCatalogItemSpec {
  title?: string;
  description?: string;
  template: Reference;
  published: boolean;
  /** If empty, an order may set whatever the template allows. */
  field_definitions: FieldDefinition[];
  /** Of a shared item: the only tenants that it is for; empty means all. */
  tenants: string[];
}

/** The wire form has no `spec` member, like OSAC's. */
export type ClusterCatalogItem = StoredObject<
  "cluster_catalog_item",
  ClusterCatalogItemSpec,
  Record<string, never>
>;

/** Whether a shared item is for a tenant to see. */
export const isOffered = (
  { published, tenants }: Pick<ClusterCatalogItemSpec, "published" | "tenants">,
  tenant: string,
): boolean => published && (tenants.length === 0 || tenants.includes(tenant));

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    cluster_catalog_item: ClusterCatalogItem;
  }
}
