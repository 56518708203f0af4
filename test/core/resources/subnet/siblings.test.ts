import { expect, it } from "vitest";
import { subnetPrefixesKey } from "../../../../core/kernel/object/keys.ts";
import { eq, exists, type Item, lacks } from "../../../../core/kernel/store/store.ts";
import {
  claimSubnetPrefixes,
  freePrefixes,
  releaseSubnetPrefixes,
  subnetsIn,
} from "../../../../core/resources/subnet/siblings.ts";
import type { VirtualNetwork } from "../../../../core/resources/virtual-network/model.ts";
import type { NetworkPrefixes } from "../../../../core/resources/virtual-network/prefixes.ts";
import { networkRecord } from "../../../support/network-records.ts";

/** The prefixes of a network's subnets: what is free, what is claimed, and what is refused. */

const key = subnetPrefixesKey("shop");
const item = (subnets: Record<string, string[]>): Item => ({ ...key, revision: 3, ...subnets });
const network = (prefixes: NetworkPrefixes, more: Partial<VirtualNetwork> = {}) => {
  const { network_class } = networkRecord("shop").spec;
  return networkRecord("shop", { ...more, spec: { network_class, ...prefixes } });
};
const both = network({ ipv4_cidr: "10.20.0.0/16", ipv6_cidr: "fd00:20::/48" });

it.each<[string, Item | undefined, VirtualNetwork, object | undefined, NetworkPrefixes]>([
  [
    "the first of each family",
    undefined,
    both,
    undefined,
    { ipv4_cidr: "10.20.0.0/24", ipv6_cidr: "fd00:20::/64" },
  ],
  [
    "the next, after those of all subnets",
    item({ a: ["10.20.0.0/24"], b: ["10.20.1.0/24", "fd00:20::/64"] }),
    both,
    undefined,
    { ipv4_cidr: "10.20.2.0/24", ipv6_cidr: "fd00:20:0:1::/64" },
  ],
  [
    "a gap",
    item({ b: ["10.20.1.0/24"] }),
    network({ ipv4_cidr: "10.20.0.0/16" }),
    undefined,
    { ipv4_cidr: "10.20.0.0/24" },
  ],
  [
    "the length of the class",
    undefined,
    both,
    { ipv4: 26, ipv6: 80 },
    { ipv4_cidr: "10.20.0.0/26", ipv6_cidr: "fd00:20::/80" },
  ],
  [
    "the length of the class for one family",
    undefined,
    both,
    { ipv4: 20 },
    { ipv4_cidr: "10.20.0.0/20", ipv6_cidr: "fd00:20::/64" },
  ],
  [
    "the whole of a small network",
    undefined,
    network({ ipv4_cidr: "10.20.0.0/26", ipv6_cidr: "fd00:20::/80" }),
    undefined,
    { ipv4_cidr: "10.20.0.0/26", ipv6_cidr: "fd00:20::/80" },
  ],
])("a subnet that names no prefix gets %s", (_, known, of, lengths, expected) => {
  expect(freePrefixes(known, of, lengths as never)).toEqual(expected);
});

it("a full network has none", () => {
  const full = item({ a: ["10.20.0.0/16"] });
  expect(() => freePrefixes(full, both, undefined)).toThrow(
    expect.objectContaining({
      kind: "FailedPrecondition",
      message: "network 'shop' has no free prefix of length 24 in 10.20.0.0/16",
    }),
  );
});

const claim = (known: Item | undefined, of: VirtualNetwork, prefixes: NetworkPrefixes) => {
  const violations: { field: string; message: string }[] = [];
  const writes = claimSubnetPrefixes(known, { network: of, subnet: "new", prefixes }, violations);
  return { writes, faults: violations.map(({ field, message }) => `${field}: ${message}`) };
};

it.each([
  ["the first", undefined, lacks("revision")],
  ["a later one", item({ a: ["10.20.1.0/24"] }), eq("revision", 3)],
])("a subnet is claimed only if no other came in between: %s", (_, known, condition) => {
  const prefixes = { ipv4_cidr: "10.20.2.0/24", ipv6_cidr: "fd00:20:0:2::/64" };
  const set = { new: ["10.20.2.0/24", "fd00:20:0:2::/64"] };
  expect(claim(known, both, prefixes)).toEqual({
    writes: [{ update: key, set, add: { revision: 1 }, if: condition }],
    faults: [],
  });
  expect(claim(known, both, { ipv6_cidr: "fd00:20:0:2::/64" }).writes).toMatchObject([
    { set: { new: ["fd00:20:0:2::/64"] } },
  ]);
});

const many = (count: number) =>
  item(Object.fromEntries(Array.from({ length: count }, (_, n) => [`s${n}`, []])));
const onHub = network({ ipv4_cidr: "10.20.0.0/16" }, { hub: { id: "hub-1", parts: {} } });

it.each<[string, Item | undefined, VirtualNetwork, NetworkPrefixes, string[]]>([
  [
    "outside of the network",
    undefined,
    both,
    { ipv4_cidr: "10.21.0.0/24" },
    ["spec.ipv4_cidr: 10.21.0.0/24 is not within 10.20.0.0/16, the prefix of network 'shop'"],
  ],
  [
    "of a family that the network has not",
    undefined,
    network({ ipv4_cidr: "10.20.0.0/16" }),
    { ipv6_cidr: "fd00:20::/64" },
    ["spec.ipv6_cidr: network 'shop' has no ipv6_cidr"],
  ],
  ["of the other family", undefined, both, { ipv4_cidr: "fd00:20::/64" }, []],
  [
    "of other subnets",
    item({ a: ["10.20.1.0/24", "fd00:20:0:1::/64"], b: ["10.20.2.0/24"], c: ["10.20.9.0/24"] }),
    both,
    { ipv4_cidr: "10.20.0.0/22", ipv6_cidr: "fd00:20:0:1::/80" },
    [
      "spec.ipv4_cidr: 10.20.0.0/22 overlaps 10.20.1.0/24, the prefix of subnet 'a'",
      "spec.ipv4_cidr: 10.20.0.0/22 overlaps 10.20.2.0/24, the prefix of subnet 'b'",
      "spec.ipv6_cidr: fd00:20:0:1::/80 overlaps fd00:20:0:1::/64, the prefix of subnet 'a'",
    ],
  ],
  ["of the 200th subnet", many(199), both, { ipv4_cidr: "10.20.1.0/24" }, []],
  [
    "of one more",
    many(200),
    both,
    { ipv4_cidr: "10.20.1.0/24" },
    ["spec.virtual_network: network 'shop' has 200 of the 200 subnets that it can have"],
  ],
  ["of the first on a hub", undefined, onHub, { ipv4_cidr: "10.20.1.0/24" }, []],
  [
    "of a second on a hub",
    item({ a: ["10.20.2.0/24"] }),
    onHub,
    { ipv4_cidr: "10.20.1.0/24" },
    ["spec.virtual_network: network 'shop' has 1 of the 1 subnets that it can have"],
  ],
])("the faults of a prefix %s", (_, known, of, prefixes, faults) => {
  expect(claim(known, of, prefixes).faults).toEqual(faults);
});

it("a subnet that goes leaves the item", () => {
  expect(releaseSubnetPrefixes("shop", "web")).toEqual({
    ...{ update: key, remove: ["web"], add: { revision: 1 }, if: exists },
  });
});

it("the subnets in an item are all but its key and its revision", () => {
  expect(subnetsIn(undefined)).toEqual([]);
  expect(subnetsIn(item({ a: ["10.20.1.0/24"], b: [] }))).toEqual([
    { id: "a", cidrs: ["10.20.1.0/24"] },
    { id: "b", cidrs: [] },
  ]);
});
