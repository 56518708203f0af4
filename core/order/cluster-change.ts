import { isDeepStrictEqual } from "node:util";
import type { Violation } from "../error.ts";
import type { ReferenceInput } from "../input/reference.ts";
import type { Cluster, NodeSet } from "../model/cluster.ts";
import { maxNodes } from "../model/cluster-template.ts";
import type { Metadata, Reference } from "../model/metadata.ts";
import { unwrapped } from "../view/any.ts";
import { masked } from "../view/wire.ts";
import { canonicalCidr } from "./cidr.ts";
import type { ClusterInput, ClusterSpecInput } from "./cluster-input.ts";

/** What a changed cluster may look like: sizes of node sets and metadata can change, the rest stays. */

const notYet = "cannot be changed yet";

/** The node sets as they would be; every rule that the change breaks is added to the violations. */
export function changedNodeSets(
  cluster: Cluster,
  input: ClusterSpecInput,
  violations: Violation[],
): Record<string, NodeSet> {
  refuseFixed(cluster, input, violations);
  const given = input.node_sets ?? {};
  const field = (name: string) => `spec.node_sets.${name}`;
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(cluster.spec.node_sets, name)) continue;
    violations.push({ field: field(name), message: "node sets cannot be added yet" });
  }
  const sets = Object.entries(cluster.spec.node_sets).map(([name, set]): [string, NodeSet] => {
    const wish = Object.hasOwn(given, name) ? given[name] : undefined;
    if (!wish) violations.push({ field: field(name), message: "node sets cannot be removed yet" });
    else if (wish.size === undefined)
      violations.push({ field: `${field(name)}.size`, message: "is required" });
    if (wish?.host_type !== undefined && !means(wish.host_type, set.host_type)) {
      const message = `cannot change host_type for node set '${name}'`;
      violations.push({ field: `${field(name)}.host_type`, message });
    }
    return [name, { ...set, size: wish?.size ?? set.size }];
  });
  const total = sets.reduce((sum, [, { size }]) => sum + size, 0);
  if (total > maxNodes) {
    violations.push({
      field: "spec.node_sets",
      message: `ask for ${total} nodes; ${maxNodes} is the limit`,
    });
  }
  return Object.fromEntries(sets);
}

function refuseFixed({ spec }: Cluster, input: ClusterSpecInput, violations: Violation[]): void {
  const refuse = (member: string, message: string) =>
    violations.push({ field: `spec.${member}`, message });
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
