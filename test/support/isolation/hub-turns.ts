import * as fc from "fast-check";
import { type Asked, named, order, removal, rules, turns } from "./turns.ts";

/** Turns of tenants with pods in networks on a hub. */

const groups = ["web", "db", "ops"];
const pods = ["one", "two", "three", "four", "five"];

const anyRules = rules(["PROTOCOL_ALL"], groups, [
  ...[
    "0.0.0.0/0",
    "10.20.0.0/16",
    "10.20.1.0/24",
    "10.20.1.4/32",
    "10.0.0.0/8",
    "198.51.100.0/24",
  ].map((ipv4_cidr) => ({ ipv4_cidr })),
  ...["::/0", "fd00:20:0:1::/64"].map((ipv6_cidr) => ({ ipv6_cidr })),
  { ipv4_cidr: "0.0.0.0/0", ipv6_cidr: "::/0" },
]);
const network = named(["shop", "shop", "lab"]);
const four = { ipv4_cidr: "10.20.1.0/24" };
const six = { ipv6_cidr: "fd00:20:0:1::/64" };

const asked = fc.oneof<fc.WeightedArbitrary<Asked>[]>(
  {
    weight: 4,
    arbitrary: order(
      "security_groups",
      groups,
      fc.record({ virtual_network: fc.constant("shop"), ingress: anyRules, egress: anyRules }),
    ),
  },
  {
    weight: 4,
    arbitrary: order("pods", pods, fc.record({ network, groups: fc.subarray(groups) })),
  },
  { weight: 1, arbitrary: removal("pods", pods) },
  {
    weight: 2,
    arbitrary: fc.oneof(
      order(
        "virtual_networks",
        ["shop", "lab"],
        fc.constant({ ipv4_cidr: "10.20.0.0/16", ipv6_cidr: "fd00:20::/48" }),
      ),
      ...["shop", "lab"].map((virtual_network) =>
        order(
          "subnets",
          [`of-${virtual_network}`],
          fc
            .constantFrom(four, six, { ...four, ...six })
            .map((prefixes) => ({ virtual_network, ...prefixes })),
        ),
      ),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.oneof(
      removal("security_groups", groups),
      removal("subnets", ["of-shop", "of-lab"]),
      removal("virtual_networks", ["shop", "lab"]),
    ),
  },
);

export const hubTurns = turns(asked, ["hub"], {
  security_groups: ["PATCH /apis/networking.k8s.io/"],
  virtual_networks: ["PATCH /api/v1/namespaces", "PATCH /apis/networking.k8s.io/"],
  subnets: ["PATCH /apis/k8s.ovn.org/"],
});
