import type { KindDefinition } from "../../kernel/object/kind.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { CatalogItemSpec } from "./offer/item.ts";
import { catalogItem, catalogItemPermissions } from "./offer/item-kind.ts";

/** An offer of clusters. */
type ClusterCatalogItem = StoredObject<
  "cluster_catalog_item",
  CatalogItemSpec,
  Record<string, never>
>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    cluster_catalog_item: ClusterCatalogItem;
  }
}

export const kind: KindDefinition<"cluster_catalog_item"> = {
  ...catalogItem,
  references: ({ spec }) => [{ kind: "cluster_template", id: spec.template.id }],
};

export const permissions = catalogItemPermissions;
