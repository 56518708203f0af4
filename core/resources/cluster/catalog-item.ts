import type { Violation } from "../../error.ts";
import { parseLeniently } from "../../kernel/input/parse.ts";
import type { Json, JsonObject } from "../../kernel/input/shape.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import { load, type Records } from "../../kernel/object/records.ts";
import { masked } from "../../kernel/object/wire.ts";
import { means, referenceTo } from "../../kernel/request/resolve.ts";
import { filledIn, refuseValues } from "../cluster-catalog-item/offer/apply.ts";
import { byOffer } from "../cluster-catalog-item/offer/order.ts";
import { isAtOrUnder } from "../cluster-catalog-item/offer/paths.ts";
import { clusterOfferable } from "../cluster-catalog-item/offerable.ts";
import type { ClusterTemplate } from "../cluster-template/model.ts";
import { type ClusterSpecInput, clusterInputSchema } from "../cluster-template/order-input.ts";
import { type Cluster, knownNodeSets } from "./model.ts";

/** Orders by offer. The offer's values are added to the spec, which is then checked like any other. */

const field = "spec.catalog_item";

interface ByItem {
  spec: ClusterSpecInput;
  item?: Reference;
  /** The search for the item's template, begun early if the name of the item determines it. */
  template?: Promise<ClusterTemplate | undefined>;
}

export async function fromCatalogItem(
  records: Records,
  tenant: string,
  spec: ClusterSpecInput,
  violations: Violation[],
): Promise<ByItem> {
  const { catalog_item, template, ...rest } = spec;
  if (catalog_item === undefined) return { spec };
  if (template !== undefined)
    violations.push({ field, message: "catalog_item and template are mutually exclusive" });
  const found = await byOffer(
    records,
    {
      ...({ kind: "cluster_catalog_item", templates: "cluster_template" } as const),
      ...{ tenant, item: catalog_item, spec: rest, offerable: clusterOfferable },
    },
    violations,
  );
  if (!found) return { spec };
  const { item, template: search } = found;
  return {
    spec: { ...found.spec, template: item.spec.template },
    item: referenceTo(item),
    ...(search && { template: search }),
  };
}

/**
 * A change's spec with the offer's values. Fields that the offer fixes cannot be changed. A node set that is
 * added later gets the same fixed values and defaults as one of the order.
 */
export async function changedByOffer(
  records: Records,
  cluster: Cluster,
  spec: ClusterSpecInput,
  violations: Violation[],
): Promise<ClusterSpecInput> {
  const ordered = cluster.spec.catalog_item;
  const item = ordered && (await load(records, "cluster_catalog_item", ordered.id));
  if (!item) return spec;
  const definitions = item.spec.field_definitions;
  refuseValues(definitions, changedLeaves(cluster, spec), violations);
  const known = knownNodeSets(cluster);
  const added = Object.keys(spec.node_sets ?? {}).filter((name) => !Object.hasOwn(known, name));
  // The conversion through JSON drops undefined members.
  const given: JsonObject = JSON.parse(JSON.stringify(spec));
  const ofAdded = definitions.filter(({ path }) =>
    added.some((name) => isAtOrUnder(path, `node_sets.${name}`)),
  );
  return (
    parseLeniently(clusterInputSchema.shape.spec, filledIn(clusterOfferable, ofAdded, given))
      .value ?? spec
  );
}

/**
 * The node sets, version and pull secret that a change alters. An omitted node set counts as one without nodes.
 */
function changedLeaves(
  cluster: Cluster,
  { node_sets: nodeSets = {}, version, pull_secret, pull_secret_secret }: ClusterSpecInput,
): Map<string, Json> {
  const before = cluster.spec.node_sets;
  const known = knownNodeSets(cluster);
  const leaves = new Map<string, Json>();
  if (pull_secret && pull_secret !== masked) leaves.set("pull_secret", pull_secret);
  const { pull_secret_secret: named } = cluster.spec;
  if (pull_secret_secret !== undefined && !(named && means(pull_secret_secret, named)))
    leaves.set("pull_secret_secret", JSON.parse(JSON.stringify(pull_secret_secret)));
  for (const name of new Set([...Object.keys(before), ...Object.keys(nodeSets)])) {
    const { size, host_type } = nodeSets[name] ?? { size: 0 };
    const path = `node_sets.${name}`;
    if (size !== undefined && size !== before[name]?.size) leaves.set(`${path}.size`, size);
    if (host_type !== undefined && !Object.hasOwn(known, name))
      leaves.set(`${path}.host_type`, JSON.parse(JSON.stringify(host_type)));
  }
  if (version !== undefined && !means(version, cluster.spec.version))
    leaves.set("version", JSON.parse(JSON.stringify(version)));
  return leaves;
}
