import type { Known, Row } from "../../compare.ts";
import { nobody, post, put } from "./ask.ts";

const subnet = (more: object) => (known: Known) => ({
  network_id: known.network,
  ip_version: 4,
  cidr: "10.1.0.0/24",
  ...more,
});
const servers = (count: number) => Array.from({ length: count }, (_, n) => `192.0.2.${n + 1}`);

/** Subnets of the network. */
export const subnetRows: Row[] = [
  {
    what: "a subnet without a network",
    ask: post("subnets", { ip_version: 4, cidr: "10.1.0.0/24" }),
  },
  {
    what: "a subnet of a network that there is not",
    ask: post("subnets", { network_id: nobody, ip_version: 4, cidr: "10.1.0.0/24" }),
  },
  { what: "six name servers", ask: post("subnets", subnet({ dns_nameservers: servers(6) })) },
  {
    what: "a name server twice",
    ask: post("subnets", subnet({ dns_nameservers: ["192.0.2.1", "192.0.2.1"] })),
  },
  {
    what: "a name server of the other family",
    ask: post("subnets", subnet({ dns_nameservers: ["fd00::1"] })),
  },
  { what: "a prefix of the other family", ask: post("subnets", subnet({ cidr: "fd00::/64" })) },
  { what: "no prefix", ask: post("subnets", subnet({ cidr: "nonsense" })) },
  { what: "DHCP in a /31", ask: post("subnets", subnet({ cidr: "10.1.0.0/31" })) },
  {
    what: "a gateway elsewhere",
    ask: post("subnets", subnet({ cidr: "10.50.0.0/24", gateway_ip: "10.9.0.1" })),
    differs:
      "Neutron lets the gateway of a subnet be on another link, which Slipway never asks for",
  },
  {
    what: "a gateway in the pool",
    ask: post(
      "subnets",
      subnet({
        gateway_ip: "10.1.0.20",
        allocation_pools: [{ start: "10.1.0.10", end: "10.1.0.30" }],
      }),
    ),
  },
  {
    what: "a pool outside",
    ask: post("subnets", subnet({ allocation_pools: [{ start: "10.9.0.10", end: "10.9.0.30" }] })),
  },
  {
    what: "pools that overlap",
    ask: post(
      "subnets",
      subnet({
        allocation_pools: [
          { start: "10.1.0.10", end: "10.1.0.30" },
          { start: "10.1.0.20", end: "10.1.0.40" },
        ],
      }),
    ),
  },
  {
    what: "a mode of IPv6 in a prefix of IPv4",
    ask: post("subnets", subnet({ ipv6_ra_mode: "slaac" })),
  },
  {
    what: "SLAAC in a /80",
    ask: post(
      "subnets",
      subnet({
        ip_version: 6,
        cidr: "fd00::/80",
        ipv6_ra_mode: "slaac",
        ipv6_address_mode: "slaac",
      }),
    ),
  },
  {
    what: "a subnet",
    ask: post(
      "subnets",
      subnet({
        name: "raw",
        dns_nameservers: servers(5),
        allocation_pools: [{ start: "10.1.0.10", end: "10.1.0.20" }],
      }),
    ),
    keep: ["subnet", "subnet.id"],
  },
  { what: "a subnet that overlaps", ask: post("subnets", subnet({ cidr: "10.1.0.128/25" })) },
  {
    what: "six name servers for one that is there",
    ask: put("subnets", "subnet", { dns_nameservers: servers(6) }),
  },
];
