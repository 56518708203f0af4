import { mustLoad } from "../../kernel/object/records.ts";
import type { References } from "../../kernel/request/references.ts";
import { means } from "../../kernel/request/resolve.ts";
import { loadRevision } from "../cluster-template/content/revisions.ts";
import type { ClusterSpecInput } from "../cluster-template/order-input.ts";
import type { ClusterVersion } from "../cluster-version/model.ts";
import { type Cluster, knownNodeSets, type NodeSet, type NodeSets } from "./model.ts";
import {
  type NodeSetInput,
  newNodeSet,
  nodeSetField,
  refuseRoomless,
  refuseTooManySets,
  type TemplateSets,
} from "./node-sets.ts";
import { momentOf, ruleOf } from "./update-rules.ts";
import { refusedPath } from "./upgrade-path.ts";

/** The metadata, node sets and version of a cluster after a change. */

/**
 * The node sets after a change, with a violation for each rule that it breaks. They replace the previous ones: an
 * omitted node set is removed, and the template must allow a new one.
 */
export async function changedNodeSets(
  check: References,
  cluster: Cluster,
  input: ClusterSpecInput,
): Promise<NodeSets> {
  const given = Object.entries(input.node_sets ?? {});
  if (given.length === 0) {
    const message = "cannot remove the last node set: a cluster has at least one";
    check.refuseOnce("spec.node_sets", message);
  }
  // A node set that is being removed keeps its host type; a request with its name restores it.
  const known = knownNodeSets(cluster);
  const template = given.some(([name]) => !Object.hasOwn(known, name))
    ? await templateOf(check, cluster)
    : undefined;
  const result: NodeSets = {};
  for (const [name, input] of given) {
    const before = Object.hasOwn(known, name) ? known[name] : undefined;
    const set = before
      ? changedNodeSet(check, cluster, { name, before, input })
      : template && (await newNodeSet(check, template, name, input));
    if (set) result[name] = set;
  }
  refuseTooManySets(check, result);
  refuseRoomless(check, cluster, result);
  return result;
}

function changedNodeSet(
  check: References,
  cluster: Cluster,
  { name, before, input }: { name: string; before: NodeSet; input: NodeSetInput },
): NodeSet {
  const field = nodeSetField(name);
  const { size = before.size, host_type } = input;
  if (input.size === undefined) check.refuse(`${field}.size`, "is required");
  if (size === 0 && !cluster.applied)
    check.refuse(`${field}.size`, "must be at least 1 until the cluster is READY");
  const isOther = host_type !== undefined && !means(host_type, before.host_type);
  if (isOther && ruleOf("spec.node_sets.*.host_type", momentOf(cluster)).is === "refused")
    check.refuse(`${field}.host_type`, `cannot change host_type for node set '${name}'`);
  return { ...before, size };
}

/** The version to upgrade to; undefined if the cluster has it already, or no upgrade path leads to it. */
export async function changedVersion(
  check: References,
  cluster: Cluster,
  { version: reference }: ClusterSpecInput,
): Promise<ClusterVersion | undefined> {
  const field = "spec.version";
  if (means(reference, cluster.spec.version)) return undefined;
  if (reference === undefined) return check.refuseOnce(field, "cannot be cleared");
  const version = await check.resolve(field, "cluster_version", reference);
  // If the version cannot be changed at all, the upgrade path does not matter.
  const isOpen = ruleOf(field, momentOf(cluster)).is !== "refused";
  const refused = version && isOpen ? refusedPath(cluster, version) : undefined;
  return refused === undefined ? version : check.refuse(field, refused);
}

/** The revision of the template with which the order was accepted. */
async function templateOf({ records }: References, cluster: Cluster): Promise<TemplateSets> {
  const { id, metadata } = await mustLoad(records, "cluster_template", cluster.spec.template.id);
  return { id, tenant: metadata.tenant, content: await loadRevision(records.store, cluster) };
}
