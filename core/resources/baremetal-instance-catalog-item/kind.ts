import type { KindDefinition } from "../../kernel/object/kind.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { WireForm } from "../../kernel/object/wire-form.ts";
import { type Documentation, ofTenant } from "../../kernel/request/documentation.ts";
import type { CatalogItemSpec } from "../cluster-catalog-item/offer/item.ts";
import { catalogItem, catalogItemPermissions } from "../cluster-catalog-item/offer/item-kind.ts";
import { catalogItemWire } from "../cluster-catalog-item/offer/item-wire.ts";

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

export const wire: WireForm<"baremetal_instance_catalog_item"> = catalogItemWire;

const offer = {
  title: "A server with RHEL",
  published: true,
  field_definitions: [{ path: "ssh_public_key", editable: true }],
};

export const documentation: Documentation = {
  meaning: "Offers of servers: a template and its choices.",
  groups: { public: "Order", private: "Provider" },
  example: {
    metadata: { name: "rhel-by-key" },
    template: { name: "rhel-server" },
    ...offer,
  },
  answer: ofTenant("rhel-by-key", {
    template: { id: "rhel-server", name: "rhel-server" },
    ...offer,
  }),
};
