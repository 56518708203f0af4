import { pace } from "../api/read.ts";
import type { Metadata, PrivateCluster, Wait } from "../generated/answers.ts";
import { waitsForPerson } from "../ui/state.tsx";

/** What is ordered, and the pages on which it is listed. */

/** An object that operations change, with the members that all of them have. */
export interface Ordered {
  id?: string;
  metadata: Metadata;
  status: {
    state: string;
    message?: string;
    operation?: string;
    waiting?: Wait[];
    stalled?: PrivateCluster["status"]["stalled"];
    failure?: PrivateCluster["status"]["failure"];
  };
}

export interface OrderedKind {
  kind: string;
  /** Its name in paths. */
  plural: string;
  /** In words. */
  one: string;
  many: string;
  /** Only the provider sees it. */
  isOfStaff?: true;
  /** Its events can be listed. */
  hasHistory?: true;
}

export const orderedKinds: readonly OrderedKind[] = [
  { kind: "cluster", plural: "clusters", one: "cluster", many: "Clusters", hasHistory: true },
  {
    ...{ kind: "baremetal_instance", plural: "baremetal_instances" },
    ...{ one: "server", many: "Servers", hasHistory: true },
  },
  { kind: "virtual_network", plural: "virtual_networks", one: "network", many: "Networks" },
  { kind: "subnet", plural: "subnets", one: "subnet", many: "Subnets" },
  {
    kind: "security_group",
    plural: "security_groups",
    one: "security group",
    many: "Security groups",
  },
  { kind: "nat_gateway", plural: "nat_gateways", one: "NAT gateway", many: "NAT gateways" },
  {
    kind: "external_ip_attachment",
    plural: "external_ip_attachments",
    one: "external IP attachment",
    many: "External IP attachments",
  },
  {
    ...{ kind: "host", plural: "hosts", one: "host", many: "Hosts" },
    ...{ isOfStaff: true, hasHistory: true },
  },
  {
    ...{ kind: "dpu", plural: "dpus", one: "DPU", many: "DPUs" },
    ...{ isOfStaff: true, hasHistory: true },
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

/** The sentence that matters: why it stands still, or what it waits for. */
export function sentenceOf({ status }: Ordered): string {
  const { stalled, waiting, failure, message } = status;
  const isStuck = waiting?.some(waitsForPerson);
  const stands = stalled ?? (isStuck ? failure : undefined) ?? waiting?.[0] ?? failure;
  return stands?.message ?? message ?? "";
}

/** Whether an operation works on it. */
export const isUnderWay = ({ status }: Ordered): boolean => status.operation !== undefined;

/** How soon a list of such objects is read again. */
export const soon = (page: { items: readonly Ordered[] } | undefined): number =>
  page?.items.some(isUnderWay) ? pace.list : pace.rest;
