import type { KindDefinition } from "../../kernel/object/kind.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { WireForm } from "../../kernel/object/wire-form.ts";
import { type Documentation, ofTenant } from "../../kernel/request/documentation.ts";
import type { CatalogItemSpec } from "./offer/item.ts";
import { catalogItem, catalogItemPermissions } from "./offer/item-kind.ts";
import { catalogItemWire } from "./offer/item-wire.ts";

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

export const wire: WireForm<"cluster_catalog_item"> = catalogItemWire;

export const documentation: Documentation = {
  meaning: "Offers: a template and its choices.",
  groups: { public: "Order", private: "Provider" },
  example: {
    metadata: { name: "small-cluster" },
    title: "A small cluster",
    template: { id: "ocp_4_17_small" },
    published: true,
    field_definitions: [{ path: "node_sets.workers.size", editable: true, default: 2 }],
  },
  answer: ofTenant("small-cluster", {
    title: "A small cluster",
    template: { id: "ocp_4_17_small", name: "ocp-4-17-small" },
    published: true,
    field_definitions: [{ path: "node_sets.workers.size", editable: true, default: 2 }],
  }),
};
