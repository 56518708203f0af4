import * as fc from "fast-check";
import { type Asked, named, order, removal, rules, turns } from "./turns.ts";

/** Turns of tenants with clusters on a fabric. */

const groups = ["web", "db", "ops"];
const clusters = ["front", "back", "plain", "apart"];
const ips = ["one", "two"];

const anyRules = rules(
  ["PROTOCOL_ALL", "PROTOCOL_ICMP"],
  groups,
  [
    ...["0.0.0.0/0", "0.0.0.0/0", "10.20.1.0/24", "10.20.2.0/24"],
    ...["198.51.100.0/24", "203.0.113.0/24", "203.0.113.80/32"],
  ].map((ipv4_cidr) => ({ ipv4_cidr })),
);
const endpoint = named(["API", "INGRESS"]).map((name) => `EXTERNAL_IP_ATTACHMENT_ENDPOINT_${name}`);
const prefix = (...cidrs: string[]) => fc.record({ ipv4_cidr: named(cidrs) });

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
    arbitrary: order(
      "clusters",
      clusters,
      fc.record({
        network_attachment: fc.record({
          subnet: named(["web", "db", "desk"]),
          security_groups: fc.subarray(groups),
        }),
      }),
    ),
  },
  {
    weight: 1,
    // One grows, for whose growth every hub has a host.
    arbitrary: order(
      "clusters",
      ["front"],
      fc.constantFrom(1, 2).map((size) => ({ size })),
    ).map((turn) => ({ ...turn, tenant: "a" as const })),
  },
  {
    weight: 3,
    arbitrary: order(
      "external_ip_attachments",
      ips,
      fc.record({
        external_ip: named(ips),
        cluster: named(clusters),
        target_endpoint: endpoint,
      }),
    ),
  },
  ...["shop", "lab"].map((virtual_network) => ({
    weight: 1,
    arbitrary: order(
      "nat_gateways",
      [virtual_network],
      fc.record({ virtual_network: fc.constant(virtual_network), external_ip: named(ips) }),
    ),
  })),
  {
    weight: 1,
    arbitrary: fc.oneof(
      order("external_ips", ips, fc.constant({ pool: "outside" })),
      order("virtual_networks", ["lab"], prefix("10.20.0.0/16", "10.30.0.0/16")),
      order(
        "subnets",
        ["desk"],
        prefix("10.20.1.0/24", "10.30.1.0/24").map((spec) => ({ virtual_network: "lab", ...spec })),
      ),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.oneof(
      removal("security_groups", groups),
      removal("clusters", clusters),
      removal("external_ip_attachments", ips),
      removal("nat_gateways", ["shop", "lab"]),
      removal("external_ips", ips),
      removal("subnets", ["web", "db", "desk"]),
      removal("virtual_networks", ["shop", "lab"]),
    ),
  },
);

export const fabricTurns = turns(asked, ["fabric", "fabric", "dns"], {
  security_groups: ["POST /v2.0/security-groups", "POST /v2.0/security-group-rules"],
  clusters: ["POST /v2.0/ports", "PUT /v2.0/ports"],
  external_ip_attachments: ["POST /v2.0/floatingips", "PUT /v2.0/floatingips"],
  nat_gateways: ["PUT /v2.0/routers"],
  virtual_networks: ["POST /v2.0/routers"],
  subnets: ["POST /v2.0/networks", "POST /v2.0/subnets"],
});
