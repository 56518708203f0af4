import type { ReferenceInput } from "../../kernel/input/reference.ts";
import { begun } from "../../kernel/request/begun.ts";
import type { References } from "../../kernel/request/references.ts";
import { byName, referenceTo } from "../../kernel/request/resolve.ts";
import { maxNodeSets, maxNodes, type TemplateContent } from "../cluster-template/model.ts";
import type { ClusterSpecInput } from "../cluster-template/order-input.ts";
import { defaultPrefixes, nodesIn } from "../cluster-template/prefixes.ts";
import type { HostType } from "../host-type/model.ts";
import type { Cluster, NodeSet, NodeSets } from "./model.ts";

/** The rules for a cluster's node sets: host types and numbers of nodes. */

export type NodeSetInput = NonNullable<ClusterSpecInput["node_sets"]>[string];

/** The node sets of a template, with the tenant whose names they use. */
export interface TemplateSets {
  id: string;
  tenant: string;
  content: Pick<TemplateContent, "node_sets" | "allowed_host_types">;
}

export const nodeSetField = (name: string): string => `spec.node_sets.${name}`;

type NodeSetInputs = NonNullable<ClusterSpecInput["node_sets"]>;

/** The node sets of an order, each with the running search for its host type. */
export function beginNodeSets(check: References, template: TemplateSets, given: NodeSetInputs) {
  return Object.keys(template.content.node_sets).map((name) => {
    const input = Object.hasOwn(given, name) ? given[name] : undefined;
    return { name, input, search: begun(hostTypeWanted(check, template, name, input)) };
  });
}

/** The total of nodes that an order requests, as far as the order and its template show it. */
export const nodesAsked = ({ content }: TemplateSets, given: NodeSetInputs): number =>
  Object.entries(content.node_sets).reduce(
    (sum, [name, { size }]) =>
      sum + (Object.hasOwn(given, name) ? (given[name]?.size ?? size) : size),
    0,
  );

/** The node sets of an order: the template's, with the order's sizes and, if allowed, host types. */
export async function orderedNodeSets(
  check: References,
  template: TemplateSets,
  given: NodeSetInputs,
  searches: ReturnType<typeof beginNodeSets>,
): Promise<NodeSets> {
  const sets = Object.keys(template.content.node_sets);
  for (const name of Object.keys(given)) {
    if (sets.includes(name)) continue;
    const names = sets.map((each) => `'${each}'`).join(", ");
    check.refuse(
      nodeSetField(name),
      `template '${template.id}' has no such node set; it has ${names}`,
    );
  }
  const result: NodeSets = {};
  for (const { name, input, search } of searches) {
    const set = await newNodeSet(check, template, name, input, search);
    if (set) result[name] = set;
  }
  refuseTooManySets(check, result);
  return result;
}

/**
 * A new node set of a cluster. One of the template defaults to the template's values; any other must name one
 * of the template's host types and a size.
 */
export async function newNodeSet(
  check: References,
  template: TemplateSets,
  name: string,
  input: NodeSetInput = {},
  search = hostTypeWanted(check, template, name, input),
): Promise<NodeSet | undefined> {
  const own = ownSet(template.content, name);
  const size = input.size ?? own?.size;
  if (size === undefined) check.refuse(`${nodeSetField(name)}.size`, "is required");
  if (size === 0)
    check.refuse(`${nodeSetField(name)}.size`, "must be at least 1 when the cluster is ordered");
  const hostType = await hostTypeFor(check, template, { name, wanted: input.host_type, search });
  if (hostType?.spec.hardware?.dpus)
    check.refuse(
      `${nodeSetField(name)}.host_type`,
      `hosts of type ${hostType.metadata.name} have DPUs, which connect servers that are ordered whole: the nodes of a cluster are connected by the fabric`,
    );
  return hostType && size ? { host_type: referenceTo(hostType), size } : undefined;
}

/** The host type of the request, or the template's; undefined without either. */
async function hostTypeWanted(
  check: References,
  { content, tenant }: TemplateSets,
  name: string,
  { host_type: wanted }: NodeSetInput = {},
): Promise<HostType | undefined> {
  if (wanted !== undefined) return check.find("host_type", wanted);
  const own = ownSet(content, name)?.host_type;
  return own === undefined ? undefined : byName(check.records, "host_type", tenant, own);
}

interface HostTypeSearch {
  name: string;
  wanted: ReferenceInput | undefined;
  search: Promise<HostType | undefined>;
}

async function hostTypeFor(
  check: References,
  { content }: TemplateSets,
  { name, wanted, search }: HostTypeSearch,
): Promise<HostType | undefined> {
  const field = `${nodeSetField(name)}.host_type`;
  if (wanted === undefined) {
    const own = ownSet(content, name)?.host_type;
    if (own === undefined) return check.refuse(field, "is required");
    return (await search) ?? check.refuse(field, `HostType "${own}" of the template not found`);
  }
  const hostType = await check.resolve(field, "host_type", wanted, search);
  const allowed = allowedTypes(content, name);
  if (!hostType || allowed.includes(hostType.metadata.name)) return hostType;
  return check.refuse(
    field,
    `should be one of ${allowed.join(", ")}, but it is ${hostType.metadata.name}`,
  );
}

function allowedTypes(content: TemplateSets["content"], name: string): string[] {
  const { node_sets, allowed_host_types = [] } = content;
  const own = ownSet(content, name);
  const types = own
    ? [own.host_type, ...(own.allowed_host_types ?? allowed_host_types)]
    : [...Object.values(node_sets).map(({ host_type }) => host_type), ...allowed_host_types];
  return [...new Set(types)];
}

const ownSet = ({ node_sets }: TemplateSets["content"], name: string) =>
  Object.hasOwn(node_sets, name) ? node_sets[name] : undefined;

/** Refuses more nodes than the prefix of the pods has room for. */
export function refuseRoomless(
  check: References,
  { spec: { node_sets: before, network } }: Pick<Cluster, "spec">,
  nodeSets: NodeSets,
): void {
  const podCidr = network.pod_cidr ?? defaultPrefixes.pod_cidr;
  const [had, has] = [nodesOf(before), nodesOf(nodeSets)];
  const room = nodesIn(podCidr);
  if (has <= Math.max(had, room)) return;
  for (const [name, { size }] of Object.entries(nodeSets))
    if (size > (Object.hasOwn(before, name) ? (before[name]?.size ?? 0) : 0))
      check.refuse(
        `${nodeSetField(name)}.size`,
        `the cluster would have ${has} nodes, and its pod_cidr ${podCidr} has room for ${room}: the prefix stays as it was ordered`,
      );
}

const nodesOf = (nodeSets: NodeSets): number =>
  Object.values(nodeSets).reduce((sum, { size }) => sum + size, 0);

export function refuseTooManySets(check: References, nodeSets: NodeSets): void {
  const sets = Object.values(nodeSets);
  const total = nodesOf(nodeSets);
  if (total > maxNodes)
    check.refuse("spec.node_sets", `asks for ${total} nodes; ${maxNodes} is the limit`);
  if (sets.length > maxNodeSets)
    check.refuse("spec.node_sets", `has ${sets.length} node sets; ${maxNodeSets} is the limit`);
}
