import { describe, expect, it } from "vitest";
import { asOperationId } from "../../../../core/id.ts";
import { putNew } from "../../../../core/kernel/object/records.ts";
import { apiOf } from "../../../../core/kernel/request/api-of.ts";
import { createObject } from "../../../../core/kernel/request/crud.ts";
import { rules } from "../../../../core/resources/cluster/api.ts";
import type { Cluster } from "../../../../core/resources/cluster/model.ts";
import {
  changedGroups,
  refuseUnfit,
} from "../../../../core/resources/cluster/network-attachment.ts";
import { apiKinds } from "../../../../core/resources/generated/api-kinds.ts";
import { clusterRecord } from "../../../support/cluster-record.ts";
import { addFleet } from "../../../support/fleet.ts";
import { groupRecord, networkRecord, subnetRecord } from "../../../support/network-records.ts";
import { ann, depsWithCatalog } from "../../../support/orders.ts";
import { depsWith, refusedChange, refusedOrder } from "../../../support/refused.ts";

/** Clusters whose hosts stand in a tenant's subnet: what is refused of an order, and of a change. */

const ready = {
  made: true,
  site: { id: "site-1", parts: {} },
  status: { state: "SUBNET_STATE_READY" },
} as const;
const inOther = {
  spec: { virtual_network: { id: "other", name: "other" }, ingress: [], egress: [] },
};
const pending = {
  made: undefined,
  operation: asOperationId("create"),
  status: { state: "SECURITY_GROUP_STATE_PENDING", wanted_version: 1 },
} as const;

const records = async () => {
  const deps = await depsWith(
    networkRecord("shop"),
    networkRecord("other"),
    subnetRecord("web", { ipv4_cidr: "10.20.1.0/24" }, ready),
    subnetRecord("six", { ipv6_cidr: "fd00:20:0:1::/64" }, ready),
    subnetRecord("overlay", { ipv4_cidr: "10.20.3.0/24" }, { spread: { wanted: 1 } }),
    subnetRecord(
      "late",
      { ipv4_cidr: "10.20.9.0/24" },
      { ...ready, ...pending, status: subnetRecord("late").status },
    ),
    groupRecord("db"),
    groupRecord("front"),
    groupRecord("foreign", inOther),
    groupRecord("new", pending),
  );
  await addFleet(deps, { small: 1000 }, "site-1");
  return deps;
};

const field = "spec.network_attachment";
const notFound = [
  `${field}.security_groups[0]: SecurityGroup "front" not found in this project`,
  `${field}.subnet: Subnet "web" not found in this project`,
];

describe("an order", () => {
  it.each<[string, object, string[]]>([
    [
      "a subnet that is not there",
      { subnet: "nope" },
      [`${field}.subnet: Subnet "nope" not found in this project`],
    ],
    [
      "groups of another network, that are not there, and that are named twice",
      { subnet: "web", security_groups: ["foreign", "nope", "db", "front", "db"] },
      [
        `${field}.security_groups[0]: is a group of network 'other', and the subnet is of 'shop'`,
        `${field}.security_groups[1]: SecurityGroup "nope" not found in this project`,
        `${field}.security_groups[4]: is named twice`,
      ],
    ],
    [
      "a subnet without IPv4",
      { subnet: "six" },
      [`${field}.subnet: has no ipv4_cidr, and clusters need one`],
    ],
    [
      "a subnet of an overlay",
      { subnet: "overlay" },
      [`${field}.subnet: is at no site, so no hosts can join it`],
    ],
    [
      "a subnet that is being created",
      { subnet: "late" },
      ["subnet 'late' is not READY: SUBNET_STATE_PENDING"],
    ],
    [
      "a group that is being created",
      { subnet: "web", security_groups: ["new"] },
      ["security group 'new' is not READY: SECURITY_GROUP_STATE_PENDING"],
    ],
  ])("is refused with %s", async (_, network_attachment, faults) => {
    const deps = await depsWithCatalog(await records());
    const spec = { template: "t1", network_attachment };
    expect(await refusedOrder(deps, rules, spec)).toEqual(faults);
  });

  it.each([
    { subnet: "web", security_groups: ["front"] },
    { subnet: { id: "web", name: "web" }, security_groups: [{ id: "front" }] },
  ])("is refused in another project and of another tenant with %j", async (network_attachment) => {
    const deps = await depsWithCatalog(await records());
    const projects = apiOf(apiKinds, "project").rules;
    if (!projects) throw new Error("projects cannot be written");
    await createObject(deps, ann, projects, { metadata: { name: "lab" } });
    const spec = { template: "t1", network_attachment };
    expect(await refusedOrder(deps, rules, spec, { project: "lab" })).toEqual(notFound);
    const caller = { ...ann, tenant: "tenant-b" };
    expect(await refusedOrder(deps, rules, spec, { caller })).toEqual(notFound);
  });
});

const sized = (size: number) => ({ workers: { host_type: { id: "small", name: "small" }, size } });

it.each<[string, object, { pod_cidr?: string; service_cidr?: string }, number, string[]]>([
  ["an ordinary prefix", { ipv4_cidr: "10.20.1.0/24" }, {}, 2, []],
  ["no IPv4", { ipv6_cidr: "fd00:20::/64" }, {}, 300, []],
  [
    "the prefix of the pods",
    { ipv4_cidr: "10.20.1.0/24" },
    { pod_cidr: "10.16.0.0/12" },
    2,
    ["spec.network.pod_cidr: 10.16.0.0/12 overlaps 10.20.1.0/24, the prefix of subnet 'web'"],
  ],
  [
    "the prefix of the services",
    { ipv4_cidr: "10.20.1.0/24" },
    { service_cidr: "10.20.1.128/25" },
    2,
    ["spec.network.service_cidr: 10.20.1.128/25 overlaps 10.20.1.0/24, the prefix of subnet 'web'"],
  ],
  [
    "the default prefix of the pods",
    { ipv4_cidr: "10.129.1.0/24" },
    {},
    2,
    [
      "spec.network.pod_cidr: 10.128.0.0/14, the default of pod_cidr, overlaps 10.129.1.0/24, the prefix of subnet 'web'",
    ],
  ],
  [
    "a prefix of OVN-Kubernetes",
    { ipv4_cidr: "100.64.9.0/24" },
    {},
    2,
    [
      `${field}.subnet: 100.64.9.0/24, the prefix of subnet 'web', must not overlap 100.64.0.0/16, which OVN-Kubernetes uses within each cluster: take a subnet of another prefix`,
    ],
  ],
  [
    "another one",
    { ipv4_cidr: "100.88.0.0/17" },
    {},
    2,
    [
      `${field}.subnet: 100.88.0.0/17, the prefix of subnet 'web', must not overlap 100.88.0.0/16, which OVN-Kubernetes uses within each cluster: take a subnet of another prefix`,
    ],
  ],
  [
    "one of IPv6",
    { ipv4_cidr: "100.65.1.0/24", ipv6_cidr: "fd98::/64" },
    {},
    2,
    [
      `${field}.subnet: fd98::/64, the prefix of subnet 'web', must not overlap fd98::/64, which OVN-Kubernetes uses within each cluster: take a subnet of another prefix`,
    ],
  ],
  ["room for each node, API and ingress", { ipv4_cidr: "10.20.1.0/24" }, {}, 249, []],
  [
    "too little room",
    { ipv4_cidr: "10.20.1.0/24" },
    {},
    250,
    [
      `${field}.subnet: 10.20.1.0/24 has addresses for 251 members, and 252 are needed: one for each node, and those of API and ingress`,
    ],
  ],
])("judges a subnet with %s", (_, prefixes, network, size, faults) => {
  const violations: { field: string; message: string }[] = [];
  refuseUnfit(
    { subnet: subnetRecord("web", prefixes, ready) },
    { network, node_sets: sized(size) },
    violations,
  );
  expect(violations.map((each) => `${each.field}: ${each.message}`)).toEqual(faults);
});

const reference = (name: string) => ({ id: name, name });
/** A READY cluster in the subnet `web`, with the group `db`. */
const cluster = (): Cluster => {
  const { spec, ...record } = clusterRecord(0, "c1");
  return {
    ...record,
    published: true,
    spec: {
      ...spec,
      node_sets: sized(2),
      network_attachment: { subnet: reference("web"), security_groups: [reference("db")] },
    },
  };
};

describe("a change", () => {
  const change = async (network_attachment: object, more: object = {}) => {
    const deps = await depsWithCatalog(await records());
    await deps.store.transact(putNew(deps.kinds, cluster()));
    return refusedChange(deps, rules, "c1", { network_attachment, ...more });
  };

  it.each<[string, object, object, string[]]>([
    [
      "groups that it cannot have",
      { subnet: "web", security_groups: ["foreign", "nope", "front", "front"] },
      {},
      [
        `${field}.security_groups[0]: is a group of network 'other', and the subnet is of 'shop'`,
        `${field}.security_groups[1]: SecurityGroup "nope" not found in this project`,
        `${field}.security_groups[3]: is named twice`,
      ],
    ],
    [
      "groups and nodes at once",
      { subnet: "web", security_groups: ["front"] },
      { node_sets: { workers: { size: 1 } } },
      [`${field}.security_groups: change the security groups in a request of its own`],
    ],
    [
      "another subnet",
      { subnet: "six", security_groups: ["db"] },
      {},
      [`${field}: field '${field}' is immutable`],
    ],
    [
      "a group that is being created",
      { subnet: "web", security_groups: ["new"] },
      {},
      ["security group 'new' is not READY: SECURITY_GROUP_STATE_PENDING"],
    ],
  ])("is refused with %s", async (_, attachment, more, faults) => {
    expect(await change(attachment, more)).toEqual(faults);
  });
});

it.each<[string, Cluster, object | undefined, object | undefined]>([
  ["no subnet", clusterRecord(0), { subnet: "web", security_groups: ["front"] }, undefined],
  ["none named", cluster(), undefined, undefined],
  [
    "others",
    cluster(),
    { subnet: "web", security_groups: ["front", "db"] },
    { security_groups: [reference("front"), reference("db")], names: ["n-front", "n-db"] },
  ],
  [
    "none any more",
    cluster(),
    { subnet: "web", security_groups: [] },
    { security_groups: [], names: ["n-shop-default"] },
  ],
])("changes the groups of a cluster: %s", async (_, before, wanted, expected) => {
  const violations: { field: string; message: string }[] = [];
  const groups = await changedGroups(await records(), before, wanted as never, violations);
  expect(groups).toEqual(expected);
  expect(violations).toEqual([]);
});
