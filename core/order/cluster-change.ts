import { isDeepStrictEqual } from "node:util";
import type { Violation } from "../error.ts";
import type { ReferenceInput } from "../input/reference.ts";
import { type Cluster, knownNodeSets, type NodeSet, type NodeSets } from "../model/cluster.ts";
import type { Metadata, Reference } from "../model/metadata.ts";
import { mustLoad } from "../store/records.ts";
import { loadRevision } from "../template/revisions.ts";
import { unwrapped } from "../view/any.ts";
import { masked } from "../view/wire.ts";
import { canonicalCidr } from "./cidr.ts";
import type { ClusterInput, ClusterSpecInput } from "./cluster-input.ts";
import {
  type NodeSetInput,
  newNodeSet,
  nodeSetField,
  refuseTooMany,
  type TemplateSets,
} from "./node-sets.ts";
import type { References } from "./references.ts";

/** What a changed cluster may look like: node sets and metadata can change, the rest stays. */

const notYet = "cannot be changed yet";

/**
 * The node sets as they would be; every rule that the change breaks is a violation. They replace
 * the ones of before: one that is left out goes, one that is new must be allowed by the template.
 */
export async function changedNodeSets(
  check: References,
  cluster: Cluster,
  input: ClusterSpecInput,
): Promise<NodeSets> {
  refuseFixed(cluster, input, check);
  const given = Object.entries(input.node_sets ?? {});
  if (given.length === 0) {
    const message = "cannot remove the last node set: a cluster has at least one";
    check.refuseOnce("spec.node_sets", message);
  }
  // What is on its way out is still what it was; who wants it back gets that.
  const known = knownNodeSets(cluster);
  const template = given.some(([name]) => !Object.hasOwn(known, name))
    ? await templateOf(check, cluster)
    : undefined;
  const result: NodeSets = {};
  for (const [name, wish] of given) {
    const before = Object.hasOwn(known, name) ? known[name] : undefined;
    const set = before
      ? changedNodeSet(check, cluster, { name, before, wish })
      : template && (await newNodeSet(check, template, name, wish));
    if (set) result[name] = set;
  }
  refuseTooMany(check, result);
  return result;
}

function changedNodeSet(
  check: References,
  { applied }: Cluster,
  { name, before, wish }: { name: string; before: NodeSet; wish: NodeSetInput },
): NodeSet {
  const field = nodeSetField(name);
  const { size = before.size, host_type } = wish;
  if (wish.size === undefined) check.refuse(`${field}.size`, "is required");
  if (size === 0 && !applied)
    check.refuse(`${field}.size`, "must be at least 1 until the cluster is READY");
  if (host_type !== undefined && !means(host_type, before.host_type))
    check.refuse(`${field}.host_type`, `cannot change host_type for node set '${name}'`);
  return { ...before, size };
}

/** The template's content that the order was accepted with. */
async function templateOf({ store }: References, cluster: Cluster): Promise<TemplateSets> {
  const { id, metadata } = await mustLoad(store, "cluster_template", cluster.spec.template.id);
  return { id, tenant: metadata.tenant, content: await loadRevision(store, cluster) };
}

function refuseFixed({ spec }: Cluster, input: ClusterSpecInput, check: References): void {
  const refuse = (member: string, message: string) => check.refuse(`spec.${member}`, message);
  if (!means(input.template, spec.template))
    refuse("template", "field 'spec.template' is immutable");
  const item = spec.catalog_item;
  if (item ? !means(input.catalog_item, item) : input.catalog_item !== undefined)
    refuse("catalog_item", "field 'spec.catalog_item' is immutable");
  const parameters = Object.fromEntries(
    Object.entries(input.template_parameters ?? {}).map(([name, value]) => [
      name,
      unwrapped(value)?.value,
    ]),
  );
  if (!isDeepStrictEqual(parameters, spec.template_parameters)) {
    refuse("template_parameters", "field 'spec.template_parameters' is immutable");
  }
  if (!means(input.version, spec.version)) refuse("version", notYet);
  if (!isDeepStrictEqual(canonicalNetwork(input.network), spec.network)) refuse("network", notYet);
  if ((input.ssh_public_key || undefined) !== spec.ssh_public_key) refuse("ssh_public_key", notYet);
  const kept = spec.pull_secret === undefined ? undefined : masked;
  // Empty says nothing, as in an order.
  if (input.pull_secret !== "" && input.pull_secret !== kept) refuse("pull_secret", notYet);
  if (!isDeepStrictEqual(input.placement, spec.placement)) refuse("placement", notYet);
}

function canonicalNetwork(network: ClusterSpecInput["network"] = {}) {
  return Object.fromEntries(
    Object.entries(network).flatMap(([member, cidr]) =>
      cidr ? [[member, canonicalCidr(cidr) ?? cidr]] : [],
    ),
  );
}

/** Whether a reference still means what is stored; either member is enough. */
function means(input: ReferenceInput | undefined, stored: Reference): boolean {
  if (input === undefined) return false;
  if (typeof input === "string") return input === stored.id || input === stored.name;
  if (!input.id && !input.name) return false;
  return (!input.id || input.id === stored.id) && (!input.name || input.name === stored.name);
}

/** The metadata as a change leaves it; name, tenant and project are for good. */
export function changedMetadata(
  before: Metadata,
  input: ClusterInput["metadata"],
  violations: Violation[],
): Metadata {
  for (const member of ["name", "tenant", "project"] as const) {
    if ((input[member] ?? "") === (before[member] ?? "")) continue;
    violations.push({
      field: `metadata.${member}`,
      message: `field 'metadata.${member}' is immutable`,
    });
  }
  const { display_name: _, description: __, ...rest } = before;
  return {
    ...rest,
    labels: input.labels ?? {},
    annotations: input.annotations ?? {},
    ...(input.display_name ? { display_name: input.display_name } : {}),
    ...(input.description ? { description: input.description } : {}),
  };
}
