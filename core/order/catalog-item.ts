import type { Violation } from "../error.ts";
import { parseLeniently } from "../input/parse.ts";
import type { JsonObject } from "../input/shape.ts";
import type { Cluster, NodeSet } from "../model/cluster.ts";
import { type ClusterCatalogItem, isOffered } from "../model/cluster-catalog-item.ts";
import type { Reference } from "../model/metadata.ts";
import { applied, refuseValues } from "../offer/apply.ts";
import { load } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { type ClusterSpecInput, clusterInputSchema } from "./cluster-input.ts";
import { referenceTo, resolve } from "./resolve.ts";

/** Orders by offer: the spec as the offer makes it, which is then judged like any other. */

const field = "spec.catalog_item";

export async function fromCatalogItem(
  store: Store,
  tenant: string,
  spec: ClusterSpecInput,
  violations: Violation[],
): Promise<{ spec: ClusterSpecInput; item?: Reference }> {
  const { catalog_item, template, ...rest } = spec;
  if (catalog_item === undefined) return { spec };
  if (template !== undefined)
    violations.push({ field, message: "catalog_item and template are mutually exclusive" });
  const item = await resolve(store, "cluster_catalog_item", tenant, catalog_item);
  if (!item || !isOrderable(item, tenant)) {
    const { id, name } =
      typeof catalog_item === "string" ? { id: catalog_item, name: catalog_item } : catalog_item;
    violations.push({ field, message: `ClusterCatalogItem "${name || id || ""}" not found` });
    return { spec };
  }
  // Parsed JSON without what is undefined.
  const given: JsonObject = JSON.parse(JSON.stringify(rest));
  const whole = applied(item.spec.field_definitions, given, violations);
  const { value = rest, violations: more } = parseLeniently(clusterInputSchema.shape.spec, whole);
  violations.push(...more.map((each) => ({ ...each, field: `spec.${each.field}` })));
  return { spec: { ...value, template: item.spec.template }, item: referenceTo(item) };
}

const isOrderable = ({ spec, metadata }: ClusterCatalogItem, tenant: string): boolean =>
  metadata.tenant === tenant ? spec.published : isOffered(spec, tenant);

/** What an offer does not let be set cannot be changed later either. */
export async function refuseUnoffered(
  store: Store,
  { spec }: Cluster,
  nodeSets: Record<string, NodeSet>,
  violations: Violation[],
): Promise<void> {
  const item =
    spec.catalog_item && (await load(store, "cluster_catalog_item", spec.catalog_item.id));
  if (!item) return;
  const names = new Set([...Object.keys(spec.node_sets), ...Object.keys(nodeSets)]);
  const changed = [...names].filter((name) => spec.node_sets[name]?.size !== nodeSets[name]?.size);
  const leaves = changed.map((name) => {
    const path = `node_sets.${name}.size`;
    return [path, nodeSets[name]?.size ?? 0] as const;
  });
  refuseValues(item.spec.field_definitions, new Map(leaves), violations);
}
