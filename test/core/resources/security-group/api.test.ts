import { expect, it } from "vitest";
import { asOperationId } from "../../../../core/id.ts";
import type { JsonObject } from "../../../../core/kernel/input/shape.ts";
import { accountKey, infraKey } from "../../../../core/kernel/object/keys.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import { createObject, updateObject } from "../../../../core/kernel/request/crud.ts";
import { api } from "../../../../core/resources/security-group/api.ts";
import { groupRecord, networkRecord } from "../../../support/network-records.ts";
import { ann } from "../../../support/orders.ts";
import {
  changeSpec,
  depsWith,
  forbid,
  refusedChange,
  refusedOrder,
} from "../../../support/refused.ts";

/** Orders for a security group: what an accepted one stores and runs, and the refusals, each with its field. */

const tcp = { protocol: "PROTOCOL_TCP", ipv4_cidr: "0.0.0.0/0" };
const named = (security_group: JsonObject | string) => [
  { protocol: "PROTOCOL_ALL", security_group },
];
const icmp = { protocol: "PROTOCOL_ICMP", ipv4_cidr: "0.0.0.0/0" };
const field = "spec.ingress[0].security_group";

const groups = () =>
  depsWith(
    networkRecord("shop"),
    networkRecord("segment", { hub: { id: "hub-1", parts: {} } }),
    groupRecord("web"),
    groupRecord("foreign", {
      spec: { virtual_network: { id: "other", name: "other" }, ingress: [], egress: [] },
    }),
  );

it.each<[object, string[]]>([
  [{ ingress: named({}) }, [`${field}: SecurityGroup reference must specify id or name`]],
  [
    { ingress: named({ name: "nope" }) },
    [`${field}: SecurityGroup "nope" not found in this project`],
  ],
  [{ ingress: named("foreign") }, [`${field}: is a group of network 'other', not of this one`]],
  [
    { ingress: [{ protocol: "PROTOCOL_TCP" }] },
    ["spec.ingress[0]: needs ipv4_cidr, ipv6_cidr or security_group"],
  ],
  [
    { virtual_network: "none" },
    ['spec.virtual_network: VirtualNetwork "none" not found in this project'],
  ],
  [
    { virtual_network: "segment", egress: [icmp] },
    [
      "spec.egress[0].protocol: a network on a hub cannot allow ICMP alone: PROTOCOL_ALL allows it with the others",
    ],
  ],
  [
    {
      ingress: [{ ...tcp, port_from: 0, port_to: 65_536 }],
      egress: Array(51).fill(tcp),
    },
    [
      "spec.egress: must have <=50 items",
      "spec.ingress[0].port_from: must be >=1",
      "spec.ingress[0].port_to: must be <=65535",
    ],
  ],
])("refuses the order of %j", async (spec, faults) => {
  const order = { virtual_network: "shop", ...spec };
  expect(await refusedOrder(await groups(), api.rules, order)).toEqual(faults);
});

it("refuses a change of its network, and wrong rules", async () => {
  const change = { virtual_network: "segment", ingress: named("nope") };
  expect(await refusedChange(await groups(), api.rules, "web", change)).toEqual([
    `${field}: SecurityGroup "nope" not found in this project`,
    "spec.virtual_network: field 'spec.virtual_network' is immutable",
  ]);
});

it("names the faults of an order before the quota that it exceeds", async () => {
  const deps = await groups();
  await forbid(deps, "security_groups");
  const order = (more: object) =>
    refusedOrder(deps, api.rules, { virtual_network: "shop", ...more });
  expect(await order({ ingress: named("nope") })).toEqual([
    `${field}: SecurityGroup "nope" not found in this project`,
  ]);
  expect(await order({})).toEqual([expect.stringContaining("at most 0 security groups")]);
});

it("stores an order with the groups that its rules name, itself among them", async () => {
  const deps = await groups();
  const { object } = await createObject(deps, ann, api.rules, {
    metadata: { name: "own" },
    spec: {
      virtual_network: "shop",
      ingress: [{ ...tcp, port_from: 80, port_to: 81 }, ...named("web"), ...named("own")],
      egress: [icmp],
    },
  });
  const own = { id: object.id, name: "own" };
  const web = { id: "web", name: "web" };
  expect(object).toMatchObject({
    ...{ wanted: 1, network_infra_id: "n-shop", site: { id: "site-1", parts: {} } },
    charge: { security_groups: 1 },
    status: { state: "SECURITY_GROUP_STATE_PENDING", wanted_version: 1 },
  });
  expect(object.spec).toEqual({
    virtual_network: { id: "shop", name: "shop" },
    ingress: [
      { ...tcp, port_from: 80, port_to: 81 },
      { protocol: "PROTOCOL_ALL", security_group: web },
      { protocol: "PROTOCOL_ALL", security_group: own },
    ],
    egress: [icmp],
  });
  expect(await deps.store.get(infraKey(object.infra_id))).toMatchObject({
    security_group: object.id,
  });
  expect(await deps.store.get(accountKey("tenant-a"))).toMatchObject({ security_groups: 1 });
});

const onHub = { site: undefined, hub: { id: "hub-1", parts: {} } };
const running = { operation: asOperationId("running") };

it.each<[string, object, string | undefined]>([
  ["is READY", {}, "security-group-apply"],
  ["is READY on a hub", onHub, "hub-security-group-apply"],
  ["could not be created", { made: undefined }, undefined],
])("other rules of a group that %s are a new version", async (_, more, saga) => {
  const deps = await depsWith(networkRecord("shop"), groupRecord("web", more));
  const { object, operation } = await changeSpec(deps, api.rules, "web", { ingress: [tcp] });
  expect([object.wanted, object.spec.ingress]).toEqual([2, [tcp]]);
  expect(object.operation).toBe(operation);
  const started = operation && (await mustLoad(deps, "operation", operation));
  expect(started?.spec.saga).toBe(saga);
});

it("other rules of a group that is being created wait for that", async () => {
  const deps = await depsWith(
    networkRecord("shop"),
    groupRecord("web", { made: undefined, ...running }),
  );
  const { object, operation } = await changeSpec(deps, api.rules, "web", { ingress: [tcp] });
  expect(object).toMatchObject({ wanted: 2, queued: operation, ...running });
  const { spec, queued } = await mustLoad(deps, "operation", operation ?? "");
  expect([spec.saga, queued]).toEqual(["security-group-apply", true]);
});

it("the same rules are no new version, whatever else of a group changes", async () => {
  const deps = await depsWith(networkRecord("shop"), groupRecord("web"));
  expect((await changeSpec(deps, api.rules, "web", {})).object).toEqual(groupRecord("web"));
  const { spec } = groupRecord("web");
  const labelled = (labels: object) => ({
    metadata: { name: "web", tenant: "tenant-a", labels },
    spec,
  });
  const { object, operation } = await updateObject(deps, ann, api.rules, "web", {
    shown: () => JSON.parse(JSON.stringify(labelled({}))),
    edited: () => JSON.parse(JSON.stringify(labelled({ tier: "web" }))),
  });
  expect([object.wanted, operation]).toEqual([1, undefined]);
  expect(object.metadata.labels).toEqual({ tier: "web" });
});
