import { expect, it } from "vitest";
import { apiOf } from "../../../../core/kernel/request/api-of.ts";
import { createObject } from "../../../../core/kernel/request/crud.ts";
import { apiKinds } from "../../../../core/resources/generated/api-kinds.ts";
import { api } from "../../../../core/resources/nat-gateway/api.ts";
import { asUser, claimingWayOut } from "../../../../core/resources/nat-gateway/claim.ts";
import { externalIpRecord, natRecord, networkRecord } from "../../../support/network-records.ts";
import { ann } from "../../../support/orders.ts";
import { depsWith, forbid, refusedChange, refusedOrder } from "../../../support/refused.ts";

/** The refusals of orders for a NAT gateway: each names its field and reports each fault once. */

const { spec: both } = networkRecord("shop");

async function networks() {
  const deps = await depsWith(
    networkRecord("shop"),
    networkRecord("six", { spec: { ...both, ipv4_cidr: undefined } }),
    networkRecord("far", { site: undefined, spread: { wanted: 1 } }),
    networkRecord("segment", { site: undefined, hub: { id: "hub-1", parts: {} } }),
    networkRecord("out"),
    networkRecord("new", { status: { state: "VIRTUAL_NETWORK_STATE_PENDING" } }),
    externalIpRecord("shop"),
    externalIpRecord("six", { address: "2001:db8::1" }),
    externalIpRecord("elsewhere", { address: "192.0.2.0", site: "site-2" }),
    externalIpRecord("taken", { attached_to: asUser({ id: "nat-1" }) }),
  );
  await deps.store.transact([claimingWayOut("out", { id: "nat-1", name: "first" })]);
  return deps;
}

const order = (virtual_network: string, external_ip: string) => ({ virtual_network, external_ip });

it.each<[object, string[]]>([
  [
    order("none", "none"),
    [
      'spec.external_ip: ExternalIP "none" not found in this project',
      'spec.virtual_network: VirtualNetwork "none" not found in this project',
    ],
  ],
  [
    { virtual_network: "shop", external_ip: {} },
    ["spec.external_ip: ExternalIP reference must specify id or name"],
  ],
  [
    order("six", "shop"),
    [
      "spec.virtual_network: network 'six' has no ipv4_cidr, and a NAT gateway translates only IPv4",
    ],
  ],
  [
    order("far", "shop"),
    [
      "spec.external_ip: 203.0.113.80 does not lead to where network 'far' is: order one of a pool without a site",
    ],
  ],
  [
    order("shop", "elsewhere"),
    [
      "spec.external_ip: 192.0.2.0 does not lead to where network 'shop' is: order one of a pool there",
    ],
  ],
  [
    order("shop", "six"),
    ["spec.external_ip: 2001:db8::1 is of IPv6, and IPv4 alone is translated"],
  ],
  [
    order("segment", "shop"),
    ["spec.virtual_network: network 'segment' cannot have a NAT gateway: it is on a hub"],
  ],
  [
    order("out", "shop"),
    ["spec.virtual_network: network 'out' has a way out already: NAT gateway 'first' (nat-1)"],
  ],
  [order("shop", "taken"), ["external IP 'taken' is attached already: nat gateway 'nat-1' has it"]],
  [order("new", "shop"), ["network 'new' is not READY: VIRTUAL_NETWORK_STATE_PENDING"]],
])("refuses the order of %j", async (spec, faults) => {
  expect(await refusedOrder(await networks(), api.rules, spec)).toEqual(faults);
});

it("refuses another tenant's order", async () => {
  const caller = { ...ann, tenant: "tenant-b" };
  expect(
    await refusedOrder(await networks(), api.rules, order("shop", "shop"), { caller }),
  ).toEqual([
    'spec.external_ip: ExternalIP "shop" not found in this project',
    'spec.virtual_network: VirtualNetwork "shop" not found in this project',
  ]);
});

it.each(["virtual_network", "external_ip"])("refuses a change of its %s", async (member) => {
  const deps = await depsWith(natRecord("nat-1"));
  expect(await refusedChange(deps, api.rules, "nat-1", { [member]: "six" })).toEqual([
    `spec.${member}: field 'spec.${member}' is immutable`,
  ]);
});

it("refuses an order with what is in another project", async () => {
  const deps = await networks();
  const { rules } = apiOf(apiKinds, "project");
  if (!rules) throw new Error("projects cannot be written");
  await createObject(deps, ann, rules, { metadata: { name: "lab" } });
  const elsewhere = { project: "lab" };
  expect(await refusedOrder(deps, api.rules, order("shop", "shop"), elsewhere)).toEqual([
    'spec.external_ip: ExternalIP "shop" not found in this project',
    'spec.virtual_network: VirtualNetwork "shop" not found in this project',
  ]);
});

it("refuses an order beyond the quota", async () => {
  const deps = await networks();
  await forbid(deps, "nat_gateways");
  expect(await refusedOrder(deps, api.rules, order("shop", "shop"))).toEqual([
    expect.stringContaining("at most 0 nat gateways"),
  ]);
});
