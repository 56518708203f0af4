import { expect, it } from "vitest";
import {
  type Prefixes,
  templateNetworkOf,
} from "../../../../core/resources/cluster-template/prefixes.ts";

const faultsOf = (network: Prefixes) =>
  templateNetworkOf(network).faults.map(({ member, message }) => `${member} ${message}`);

it.each<[Prefixes, Prefixes]>([
  [{}, {}],
  [{ pod_cidr: "10.128.0.5/14" }, { pod_cidr: "10.128.0.0/14" }],
  [{ service_cidr: "172.30.0.0/24" }, { service_cidr: "172.30.0.0/24" }],
  [{ pod_cidr: "100.96.0.0/11" }, { pod_cidr: "100.96.0.0/11" }],
  [
    { pod_cidr: "fd01::/48", service_cidr: "fd02::/112" },
    { pod_cidr: "fd01::/48", service_cidr: "fd02::/112" },
  ],
])("takes %j", (given, network) => {
  expect(templateNetworkOf(given)).toEqual({ network, faults: [] });
});

it.each<[string, string]>([
  ["0.0.0.0/0", "0.0.0.0/8"],
  ["127.0.0.0/8", "127.0.0.0/8"],
  ["126.0.0.0/7", "127.0.0.0/8"],
  ["169.254.0.0/16", "169.254.0.0/16"],
  ["224.0.0.0/8", "224.0.0.0/4"],
  ["255.0.0.0/8", "240.0.0.0/4"],
  ["::/0", "::/127"],
  ["fe80::/64", "fe80::/10"],
  ["ff02::/16", "ff00::/8"],
])("refuses %s for what is in it", (cidr, inside) => {
  for (const member of ["pod_cidr", "service_cidr"] as const)
    expect(faultsOf({ [member]: cidr })).toEqual([
      `${member} must not overlap ${inside}, which is reserved`,
    ]);
});

it.each<[Prefixes, string[]]>([
  [{ pod_cidr: "here" }, ["pod_cidr 'here' is not a CIDR, such as 10.128.0.0/14"]],
  [
    { service_cidr: "172.30.0.0/32" },
    ["service_cidr is too small: it must have 256 addresses or more"],
  ],
  [
    { service_cidr: "fd02::/121" },
    ["service_cidr is too small: it must have 256 addresses or more"],
  ],
  [{ pod_cidr: "10.0.0.0/8", service_cidr: "10.1.0.0/16" }, ["service_cidr overlaps pod_cidr"]],
  [
    { pod_cidr: "fd01::/48", service_cidr: "172.30.0.0/16" },
    ["service_cidr must be of the same family as pod_cidr: both IPv4, or both IPv6"],
  ],
])("refuses %j", (network, faults) => {
  expect(faultsOf(network)).toEqual(faults);
});
