import { expect, it } from "vitest";
import { api } from "../../../../core/resources/security-group/api.ts";
import { groupRecord, networkRecord } from "../../../support/network-records.ts";
import { depsWith, refusedChange, refusedOrder } from "../../../support/refused.ts";

/** The refusals of orders for a security group: each names its field and reports each fault once. */

const tcp = { protocol: "PROTOCOL_TCP", ipv4_cidr: "0.0.0.0/0" };
const named = (security_group: unknown) => [{ protocol: "PROTOCOL_ALL", security_group }];
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
