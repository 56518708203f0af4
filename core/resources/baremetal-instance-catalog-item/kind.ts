import type { KindDefinition } from "../../kernel/object/kind.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { CatalogItemSpec } from "../cluster-catalog-item/offer/item.ts";
import { catalogItem, catalogItemPermissions } from "../cluster-catalog-item/offer/item-kind.ts";

/** An offer of servers. */
type BaremetalInstanceCatalogItem = StoredObject<
  "baremetal_instance_catalog_item",
  CatalogItemSpec,
  Record<string, never>
>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    baremetal_instance_catalog_item: BaremetalInstanceCatalogItem;
  }
}

export const kind: KindDefinition<"baremetal_instance_catalog_item"> = {
  ...catalogItem,
  references: ({ spec }) => [{ kind: "baremetal_instance_template", id: spec.template.id }],
};

export const permissions = catalogItemPermissions;
