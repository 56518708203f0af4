import { expect, it } from "vitest";
import type { JsonObject } from "../../../../core/kernel/input/shape.ts";
import { createObject } from "../../../../core/kernel/request/crud.ts";
import { api as hubs } from "../../../../core/resources/hub/api.ts";
import { api } from "../../../../core/resources/network-class/api.ts";
import { api as networks } from "../../../../core/resources/virtual-network/api.ts";
import type { TestDeps } from "../../../support/deps.ts";
import { root } from "../../../support/orders.ts";
import { hubRecord } from "../../../support/placement.ts";
import { depsWith, refusedDeletion, refusedOrder, whyRefused } from "../../../support/refused.ts";

/** Classes of networks on hubs: what is refused of one, of its networks, and of its hub. */

async function withHub(): Promise<TestDeps> {
  const deps = await depsWith(hubRecord("hub-1"));
  deps.hubClients.set("hub-1", { networksFault: async () => undefined });
  return deps;
}

const classOf = (name: string, implementation_strategy: string, spec: JsonObject) => ({
  ...{ metadata: { name }, implementation_strategy, is_default: true },
  spec,
});
const vni_range = { first: 5000, last: 5999 };
const within = "which OVN-Kubernetes uses within each network";

it.each<[string, JsonObject, string[]]>([
  ["hub", {}, ["spec.hub: is required for the strategy 'hub'"]],
  ["hub", { hub: "nowhere" }, ['spec.hub: Hub "nowhere" not found']],
  [
    "hub",
    { site: "site-1", hub: "hub-1" },
    ["spec.site: is only for the strategy 'fabric', and this one is 'hub'"],
  ],
  [
    "hub",
    { hub: "hub-1", vni_range },
    ["spec.vni_range: is only for the strategy 'overlay', and this one is 'hub'"],
  ],
  [
    "hub",
    { hub: "hub-1", prefix_pools: { ipv4: { cidrs: ["100.64.0.0/15"], length: 20 } } },
    [`spec.prefix_pools.ipv4.cidrs[0]: must not overlap 100.65.0.0/16, ${within}`],
  ],
  ["fabric", {}, ["spec.site: is required for the strategy 'fabric'"]],
  ["fabric", { site: "nowhere" }, ['spec.site: Site "nowhere" not found']],
  [
    "overlay",
    { hub: "hub-1", vni_range },
    ["spec.hub: is only for the strategy 'hub', and this one is 'overlay'"],
  ],
  ["overlay", {}, ["spec.vni_range: is required for the strategy 'overlay'"]],
])("refuses a class of the strategy %s with %j", async (strategy, spec, faults) => {
  const deps = await withHub();
  const order = () => createObject(deps, root, api.rules, classOf("x", strategy, spec));
  expect(await whyRefused(deps, order)).toEqual(faults);
});

it("refuses a network on a hub with prefixes that OVN-Kubernetes uses within each", async () => {
  const deps = await withHub();
  await createObject(deps, root, api.rules, classOf("machines", "hub", { hub: "hub-1" }));
  const order = { ipv4_cidr: "100.65.128.0/20", ipv6_cidr: "fd99::/60" };
  expect(await refusedOrder(deps, networks.rules, order)).toEqual([
    `spec.ipv4_cidr: must not overlap 100.65.0.0/16, ${within}`,
    `spec.ipv6_cidr: must not overlap fd99::/64, ${within}`,
  ]);
});

it("refuses the deletion of a hub with a class", async () => {
  const deps = await withHub();
  await createObject(deps, root, api.rules, classOf("machines", "hub", { hub: "hub-1" }));
  expect(await refusedDeletion(deps, hubs.rules, "hub-1", root)).toEqual([
    "cannot delete hub 'hub-1': in use by 1 network class",
  ]);
});
