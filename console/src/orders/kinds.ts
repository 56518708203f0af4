import { pace } from "../api/read.ts";
import { waitsForPerson } from "../ui/state.tsx";
import type { Ordered, OrderedKind } from "./ordered.ts";

/** The kinds that are ordered, and their list pages. */

const failedOf = (prefix: string) => ["FAILED", "DELETE_FAILED"].map((name) => `${prefix}_${name}`);

export const orderedKinds: readonly OrderedKind[] = [
  {
    kind: "cluster",
    plural: "clusters",
    one: "cluster",
    many: "Clusters",
    failed: failedOf("CLUSTER_STATE"),
  },
  {
    ...{ kind: "baremetal_instance", plural: "baremetal_instances" },
    ...{ one: "server", many: "Servers" },
    failed: failedOf("BARE_METAL_INSTANCE_STATE"),
  },
  {
    kind: "virtual_network",
    plural: "virtual_networks",
    one: "network",
    many: "Networks",
    failed: failedOf("VIRTUAL_NETWORK_STATE"),
  },
  {
    kind: "subnet",
    plural: "subnets",
    one: "subnet",
    many: "Subnets",
    failed: failedOf("SUBNET_STATE"),
  },
  {
    kind: "security_group",
    plural: "security_groups",
    one: "security group",
    many: "Security groups",
    failed: failedOf("SECURITY_GROUP_STATE"),
  },
  {
    kind: "nat_gateway",
    plural: "nat_gateways",
    one: "NAT gateway",
    many: "NAT gateways",
    failed: failedOf("NAT_GATEWAY_STATE"),
  },
  {
    kind: "external_ip_attachment",
    plural: "external_ip_attachments",
    one: "external IP attachment",
    many: "External IP attachments",
    failed: failedOf("EXTERNAL_IP_ATTACHMENT_STATE"),
  },
  {
    ...{ kind: "host", plural: "hosts", one: "host", many: "Hosts" },
    ...{ isOfStaff: true },
    failed: ["HOST_STATE_QUARANTINED"],
  },
  {
    ...{ kind: "dpu", plural: "dpus", one: "DPU", many: "DPUs" },
    ...{ isOfStaff: true },
    failed: ["DPU_STATE_QUARANTINED"],
  },
];

const byPlural = new Map(orderedKinds.map((each) => [each.plural, each]));
const byKind = new Map(orderedKinds.map((each) => [each.kind, each]));

export const kindAt = (plural: string): OrderedKind | undefined => byPlural.get(plural);

/** The page of an object; undefined for a kind without pages. */
export function pageOf({ kind, id }: { kind: string; id: string }): string | undefined {
  const found = byKind.get(kind);
  return found && `/orders/${found.plural}/${id}`;
}

/** The main message of an object: why it is stopped, or what it waits for. */
export function sentenceOf({ status }: Ordered): string {
  const { stalled, waiting, failure, message } = status;
  const isStuck = waiting?.some(waitsForPerson);
  const stands = stalled ?? (isStuck ? failure : undefined) ?? waiting?.[0] ?? failure;
  return stands?.message ?? message ?? "";
}

/** The API's filters of a kind's objects, so that they are found whatever their number. */
const underWay = "has(this.status.operation)";
const waits = `${underWay} && this.status.waiting[0].message != ""`;
const hasFailed = ({ failed }: OrderedKind): string =>
  `this.status.state in ${JSON.stringify(failed)}`;

export const waitingOrFailed = (kind: OrderedKind): string => `(${waits}) || ${hasFailed(kind)}`;

/** The choices of a list, by name. */
export const choices: readonly { name: string; filter?(kind: OrderedKind): string }[] = [
  { name: "All" },
  { name: "Under way", filter: () => underWay },
  { name: "Waiting", filter: () => waits },
  { name: "Stalled", filter: () => "has(this.status.stalled)" },
  { name: "Stuck", filter: () => `${underWay} && this.status.waiting[0].step == "Stuck"` },
  { name: "Failed", filter: hasFailed },
];

/** Whether an operation on it runs. */
export const isUnderWay = ({ status }: Ordered): boolean => status.operation !== undefined;

/** The time until the next read of such a list. */
export const soon = (page: { items: readonly Ordered[] } | undefined): number =>
  page?.items.some(isUnderWay) ? pace.list : pace.rest;
