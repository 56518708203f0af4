import { expect, it } from "vitest";
import { subnetPrefixesKey } from "../../../../core/kernel/object/keys.ts";
import { createObject } from "../../../../core/kernel/request/crud.ts";
import { api } from "../../../../core/resources/subnet/api.ts";
import { networkRecord, subnetRecord } from "../../../support/network-records.ts";
import { ann } from "../../../support/orders.ts";
import { depsWith, refusedChange, refusedOrder } from "../../../support/refused.ts";

/** The refusals of orders for a subnet: each names its field and reports each fault once. */

const onHub = { hub: { id: "hub-1", parts: {} } };

/** A network with a subnet, one whose subnet has all of it, and others that no subnet can be ordered in as it is. */
async function networks() {
  const deps = await depsWith(
    networkRecord("shop"),
    networkRecord("full"),
    networkRecord("six", { spec: { ...networkRecord("six").spec, ipv4_cidr: undefined } }),
    networkRecord("overlay", { spread: { wanted: 1 } }),
    networkRecord("segment", onHub),
    networkRecord("new", { status: { state: "VIRTUAL_NETWORK_STATE_PENDING" } }),
  );
  const taken = { shop: "10.20.1.0/24", full: "10.20.0.0/16", segment: "10.20.1.0/24" };
  for (const [network, cidr] of Object.entries(taken))
    await deps.store.transact([{ put: { ...subnetPrefixesKey(network), web: [cidr] } }]);
  return deps;
}

it.each<[object, string[]]>([
  // Also where the network has no room.
  [
    { virtual_network: "full", ipv4_cidr: "10.30" },
    ["spec.ipv4_cidr: '10.30' is not a CIDR, such as 10.20.0.0/16 or fd00:20::/48"],
  ],
  [
    { virtual_network: "shop", ipv6_cidr: "10.20.2.0/24" },
    ["spec.ipv6_cidr: must be an IPv6 prefix, and 10.20.2.0/24 is none"],
  ],
  [
    { virtual_network: "shop", ipv4_cidr: "fd00:20::/64" },
    ["spec.ipv4_cidr: must be an IPv4 prefix, and fd00:20::/64 is none"],
  ],
  [
    { virtual_network: {} },
    ["spec.virtual_network: VirtualNetwork reference must specify id or name"],
  ],
  [
    { virtual_network: "none" },
    ['spec.virtual_network: VirtualNetwork "none" not found in this project'],
  ],
  [
    { virtual_network: "shop", ipv4_cidr: "10.20.1.128/25" },
    ["spec.ipv4_cidr: 10.20.1.128/25 overlaps 10.20.1.0/24, the prefix of subnet 'web'"],
  ],
  [
    { virtual_network: "shop", ipv4_cidr: "10.21.1.0/24" },
    ["spec.ipv4_cidr: 10.21.1.0/24 is not within 10.20.0.0/16, the prefix of network 'shop'"],
  ],
  [
    { virtual_network: "six", ipv4_cidr: "10.20.1.0/24" },
    ["spec.ipv4_cidr: network 'six' has no ipv4_cidr"],
  ],
  [
    { virtual_network: "segment", ipv4_cidr: "10.20.2.0/24" },
    ["spec.virtual_network: network 'segment' has 1 of the 1 subnets that it can have"],
  ],
  [
    { virtual_network: "overlay", ipv4_cidr: "10.20.1.0/24", ipv6_cidr: "fd00:20::/121" },
    [
      "spec.ipv6_cidr: has fewer addresses than 10.20.1.0/24: in an overlay each member has one at the same place of both",
      "spec.ipv6_cidr: is too small: the longest prefix is /120, and this is /121",
    ],
  ],
  [{ virtual_network: "full" }, ["network 'full' has no free prefix of length 24 in 10.20.0.0/16"]],
  [{ virtual_network: "new" }, ["network 'new' is not READY: VIRTUAL_NETWORK_STATE_PENDING"]],
])("refuses the order of %j", async (spec, faults) => {
  expect(await refusedOrder(await networks(), api.rules, spec)).toEqual(faults);
});

it("refuses a prefix of which an accepted subnet has a part, and names both", async () => {
  const deps = await depsWith(networkRecord("shop"));
  const order = (name: string, ipv4_cidr: string) => ({
    metadata: { name },
    spec: { virtual_network: "shop", ipv4_cidr },
  });
  const { object } = await createObject(deps, ann, api.rules, order("web", "10.20.1.0/24"));
  const { spec } = order("again", "10.20.1.128/25");
  expect(await refusedOrder(deps, api.rules, spec)).toEqual([
    `spec.ipv4_cidr: 10.20.1.128/25 overlaps 10.20.1.0/24, the prefix of subnet '${object.id}'`,
  ]);
});

it.each<[string, unknown]>([
  ["ipv4_cidr", "10.20.2.0/24"],
  ["ipv6_cidr", "fd00:20:0:1::/64"],
  ["virtual_network", "full"],
])("refuses a change of its %s", async (member, value) => {
  const deps = await depsWith(subnetRecord("web", { ipv4_cidr: "10.20.1.0/24" }));
  expect(await refusedChange(deps, api.rules, "web", { [member]: value })).toEqual([
    `spec.${member}: field 'spec.${member}' is immutable`,
  ]);
});
