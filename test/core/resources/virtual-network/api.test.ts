import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../core/kernel/input/shape.ts";
import { accountKey, infraKey } from "../../../../core/kernel/object/keys.ts";
import { createObject } from "../../../../core/kernel/request/crud.ts";
import { api as pools } from "../../../../core/resources/external-ip-pool/api.ts";
import { api as networkClasses } from "../../../../core/resources/network-class/api.ts";
import { api } from "../../../../core/resources/virtual-network/api.ts";
import type { VirtualNetwork } from "../../../../core/resources/virtual-network/model.ts";
import type { TestDeps } from "../../../support/deps.ts";
import { networkRecord } from "../../../support/network-records.ts";
import { ann, root } from "../../../support/orders.ts";
import { hubRecord } from "../../../support/placement.ts";
import {
  changeSpec,
  depsWith,
  forbid,
  refusedChange,
  refusedOrder,
} from "../../../support/refused.ts";

/** Orders for a network: what an accepted one stores and claims, and the refusals, each with its field. */

const isNone = "is not a CIDR, such as 10.20.0.0/16 or fd00:20::/48";

const classOf = (deps: TestDeps, name: string, strategy: string, spec: JsonObject, more = {}) =>
  createObject(deps, root, networkClasses.rules, {
    ...{ metadata: { name }, implementation_strategy: strategy, spec, ...more },
  });
const vni_range = { first: 5000, last: 5999 };

/** The classes `overlay`, the default, and on a hub `machines`. */
async function withClasses(...records: Parameters<typeof depsWith>): Promise<TestDeps> {
  const deps = await depsWith(hubRecord("hub-1"), ...records);
  deps.hubClients.set("hub-1", { networksFault: async () => undefined });
  await classOf(deps, "overlay", "overlay", { vni_range }, { is_default: true });
  await classOf(deps, "machines", "hub", { hub: "hub-1" });
  return deps;
}

const order = async (deps: TestDeps, name: string, spec: JsonObject) =>
  (await createObject(deps, ann, api.rules, { metadata: { name }, spec })).object;

it("stores an order with its claims: a name outside, a VNI, and what it counts", async () => {
  const deps = await withClasses();
  const spec = { ipv4_cidr: "10.0.0.0/16", ipv6_cidr: "fd00:1::/48" };
  const first = await order(deps, "first", spec);
  expect(first).toMatchObject({
    ...{ vni: 5000, spread: { wanted: 1 }, charge: { virtual_networks: 1 } },
    spec: { ...spec, network_class: { id: "overlay", name: "overlay" } },
    status: { state: "VIRTUAL_NETWORK_STATE_PENDING" },
  });
  expect(Object.values(first.held ?? {})).toEqual([5000]);
  expect(first).not.toHaveProperty("site");
  expect(await deps.store.get(infraKey(first.infra_id))).toMatchObject({
    virtual_network: first.id,
  });
  expect(await order(deps, "second", { ...spec, network_class: "overlay" })).toMatchObject({
    vni: 5001,
  });
  expect(await deps.store.get(accountKey("tenant-a"))).toMatchObject({ virtual_networks: 2 });
});

it("stores an order on a hub, which has no number", async () => {
  const deps = await withClasses();
  const spec = { ipv4_cidr: "10.0.0.0/16", network_class: "machines" };
  const network = await order(deps, "shop", spec);
  expect(network).toMatchObject({ hub: { id: "hub-1", parts: {} } });
  for (const none of ["held", "vni", "spread", "site"]) expect(network).not.toHaveProperty(none);
  expect(network.spec).not.toHaveProperty("ipv6_cidr");
});

describe("of a class with a pool of prefixes", () => {
  const pooled = async () => {
    const deps = await withClasses();
    const prefix_pools = { ipv4: { cidrs: ["10.32.0.0/12"], length: 20 } };
    await classOf(deps, "pooled", "overlay", { vni_range, prefix_pools });
    return deps;
  };
  const network_class = "pooled";

  it("an order that names no prefix gets the next ones of the pool", async () => {
    const deps = await pooled();
    const first = await order(deps, "first", { network_class });
    expect(first.spec).toEqual({
      ipv4_cidr: "10.32.0.0/20",
      network_class: { id: "pooled", name: "pooled" },
    });
    expect(Object.keys(first.held ?? {})).toHaveLength(2);
    const second = await order(deps, "second", { network_class });
    expect(second.spec.ipv4_cidr).toBe("10.32.16.0/20");
  });

  it("an order that names a prefix has that one alone", async () => {
    const network = await order(await pooled(), "shop", {
      network_class,
      ipv6_cidr: "fd00:1::/48",
    });
    expect(network.spec).not.toHaveProperty("ipv4_cidr");
    expect(Object.keys(network.held ?? {})).toHaveLength(1);
  });

  it("an order with a wrong prefix is refused for that alone", async () => {
    const spec = { network_class, ipv6_cidr: "fd00::/129" };
    expect(await refusedOrder(await pooled(), api.rules, spec)).toEqual([
      `spec.ipv6_cidr: 'fd00::/129' ${isNone}`,
    ]);
  });
});

it("refuses what its class reserves, and what a pool of outside addresses has", async () => {
  const deps = await withClasses();
  await classOf(deps, "reserving", "hub", { hub: "hub-1", reserved: ["10.40.0.0/16"] });
  const reserved = { network_class: "reserving", ipv4_cidr: "10.40.1.0/24" };
  expect(await refusedOrder(deps, api.rules, reserved)).toEqual([
    expect.stringContaining("10.40.0.0/16"),
  ]);
  await createObject(deps, root, pools.rules, {
    metadata: { name: "announced" },
    spec: { ip_family: "IP_FAMILY_IPV4", cidrs: ["10.50.0.0/28"] },
  });
  expect(await refusedOrder(deps, api.rules, { ipv4_cidr: "10.50.0.0/24" })).toEqual([
    expect.stringContaining("10.50.0.0/28"),
  ]);
});

it("names the faults of an order before the quota that it exceeds", async () => {
  const deps = await withClasses();
  await forbid(deps, "virtual_networks");
  expect(await refusedOrder(deps, api.rules, { ipv4_cidr: "8.8.8.0/24" })).toEqual([
    expect.stringContaining("must be a private prefix"),
  ]);
  expect(await refusedOrder(deps, api.rules, { ipv4_cidr: "10.0.0.0/24" })).toEqual([
    expect.stringContaining("at most 0 virtual networks"),
  ]);
});

it.each([{}, { network_class: undefined }, { network_class: "isolated" }])(
  "a change that alters nothing is accepted: %j",
  async (members) => {
    const deps = await depsWith(networkRecord("shop"));
    const { object } = await changeSpec(deps, api.rules, "shop", members);
    expect(object).toEqual(networkRecord("shop"));
  },
);

describe("a network that exists", () => {
  const on = (name: string, spec: object) => {
    const network = networkRecord("shop");
    const network_class = { id: name, name };
    return { ...network, spec: { network_class, ...spec } };
  };
  it.each<[string, VirtualNetwork, string[]]>([
    ["private prefixes", on("machines", { ipv4_cidr: "10.0.0.0/16" }), []],
    ["a public one", on("machines", { ipv4_cidr: "8.8.8.0/24" }), []],
    ["what its class reserves by now", on("reserving", { ipv4_cidr: "10.40.1.0/24" }), []],
    ["a class that is gone", on("gone", { ipv4_cidr: "10.0.0.0/16" }), []],
    [
      "prefixes of OVN-Kubernetes",
      on("machines", { ipv4_cidr: "100.65.0.0/16" }),
      [
        "spec.ipv4_cidr: must not overlap 100.65.0.0/16, which OVN-Kubernetes uses within each network",
      ],
    ],
    [
      "prefixes of an outside pool",
      on("overlay", { ipv4_cidr: "10.50.0.0/24" }),
      [expect.stringContaining("10.50.0.0/28")],
    ],
  ])("has the faults of %s", async (_, network, faults) => {
    const deps = await withClasses();
    await classOf(deps, "reserving", "hub", { hub: "hub-1", reserved: ["10.40.0.0/16"] });
    await createObject(deps, root, pools.rules, {
      metadata: { name: "announced" },
      spec: { ip_family: "IP_FAMILY_IPV4", cidrs: ["10.50.0.0/28"] },
    });
    const found = await api.faults(deps, network);
    expect(found.map(({ field, message }) => `${field}: ${message}`)).toEqual(faults);
  });
});

it.each<[object, string[]]>([
  [{ ipv4_cidr: "10.0.0.0" }, [`spec.ipv4_cidr: '10.0.0.0' ${isNone}`]],
  [{ ipv6_cidr: "fd00::/129" }, [`spec.ipv6_cidr: 'fd00::/129' ${isNone}`]],
  [
    { ipv4_cidr: "8.8.8.0/24" },
    ["spec.ipv4_cidr: must be a private prefix, such as one in 10.0.0.0/8"],
  ],
  [{}, ["spec: needs ipv4_cidr or ipv6_cidr, or both"]],
  [
    { ipv4_cidr: "10.0.0.0/16", network_class: "none" },
    ['spec.network_class: NetworkClass "none" not found'],
  ],
])("refuses the order of %j", async (spec, faults) => {
  const deps = await depsWith();
  await createObject(deps, root, networkClasses.rules, {
    ...{ metadata: { name: "overlay" }, implementation_strategy: "overlay", is_default: true },
    spec: { vni_range: { first: 5000, last: 5999 } },
  });
  expect(await refusedOrder(deps, api.rules, spec)).toEqual(faults);
});

it("refuses an order without a class where there is no default", async () => {
  expect(await refusedOrder(await depsWith(), api.rules, { ipv4_cidr: "10.0.0.0/16" })).toEqual([
    "spec.network_class: is required: there is no default class",
  ]);
});

it.each<[string, unknown]>([
  ["ipv4_cidr", "10.30.0.0/16"],
  ["ipv6_cidr", "fd00:30::/48"],
  ["network_class", "other"],
])("refuses a change of its %s", async (member, value) => {
  const deps = await depsWith(networkRecord("shop"));
  expect(await refusedChange(deps, api.rules, "shop", { [member]: value })).toEqual([
    `spec.${member}: field 'spec.${member}' is immutable`,
  ]);
});
