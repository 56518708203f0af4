import { expect, it } from "vitest";
import { createObject } from "../../../../core/kernel/request/crud.ts";
import { api as networkClasses } from "../../../../core/resources/network-class/api.ts";
import { api } from "../../../../core/resources/virtual-network/api.ts";
import { networkRecord } from "../../../support/network-records.ts";
import { root } from "../../../support/orders.ts";
import { depsWith, refusedChange, refusedOrder } from "../../../support/refused.ts";

/** The refusals of orders for a network: each names its field and reports each fault once. */

const isNone = "is not a CIDR, such as 10.20.0.0/16 or fd00:20::/48";

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
