import { describe } from "vitest";
import { parseOrRefuse, refuseViolations } from "../../core/kernel/input/parse.ts";
import {
  defaultPrefixes,
  type Prefixes,
  templateNetworkOf,
} from "../../core/resources/cluster-template/prefixes.ts";
import { ruleInputSchema } from "../../core/resources/security-group/rules.ts";
import { machinesSchema } from "../../core/resources/site/machines-spec.ts";
import { siteSpecSchema } from "../../core/resources/site/model.ts";
import { judgeInputs, refused } from "./table.ts";

/** Prefixes inside clusters: kube-apiserver, HyperShift and OVN-Kubernetes are the judges. */

interface Ordered extends Prefixes {
  nodes?: number;
}

/** As an order is read. */
function read({ nodes = 1, ...given }: Ordered): Prefixes {
  const { network, faults } = templateNetworkOf(given, { nodes, others: defaultPrefixes });
  refuseViolations(faults.map(({ member, message }) => ({ field: member, message })));
  return network;
}

const ofPods = (words: RegExp) => refused(new RegExp(`pod_cidr: ${words.source}`));
const ofServices = (words: RegExp) => refused(new RegExp(`service_cidr: ${words.source}`));
const isPart = (whole: string) => new RegExp(`must not overlap ${whole}.*OVN-Kubernetes`);
const isReserved = (whole: string) => new RegExp(`must not overlap ${whole}, which is reserved`);
const v6 = { service_cidr: "fd02::/112" };

describe("the prefix of services", () => {
  const services = (service_cidr: string, more: Prefixes = {}) => ({ service_cidr, ...more });
  const pods6 = { pod_cidr: "fd01::/48" };
  judgeInputs(read, [
    [services("172.30.0.0/16"), services("172.30.0.0/16"), "the installer's default"],
    [
      services("172.16.0.0/12"),
      services("172.16.0.0/12"),
      "kube-apiserver: the mask must be >= 12",
    ],
    [services("10.96.0.0/12"), services("10.96.0.0/12"), "kubeadm's default"],
    [services("172.30.0.0/24"), services("172.30.0.0/24"), "256 services"],
    [services("192.0.2.0/24"), services("192.0.2.0/24"), "documentation's own (RFC 5737)"],
    [services("198.18.0.0/15"), services("198.18.0.0/15"), "benchmarks' own (RFC 2544)"],
    [services("100.65.0.0/16"), services("100.65.0.0/16"), "beside OVN's"],
    [services("100.89.0.0/16"), services("100.89.0.0/16"), "beside OVN's"],
    [services("172.30.5.9/16"), services("172.30.0.0/16"), "host bits are left out"],
    [services("fd02::/108", pods6), services("fd02::/108", pods6), "the mask must be >= 108"],
    [services("fd02::/120", pods6), services("fd02::/120", pods6), "256 services"],
    [services("10.0.0.0/8"), ofServices(/is too large: .*\/12 or longer/), "kubernetes#12624"],
    [services("172.16.0.0/11"), ofServices(/is too large/), "kubernetes#12820"],
    [services("fd02::/107", pods6), ofServices(/is too large: .*\/108/), "kubeadm#695"],
    [services("fd02::/64", pods6), ofServices(/is too large: .*\/108/), "kubeadm#2132"],
    [services("172.30.0.0/25"), ofServices(/is too small/), "128 services"],
    [services("100.64.8.0/21"), ofServices(isPart("100.64.0.0/16")), "ovn-kubernetes#1132"],
    [services("100.64.0.0/12"), ofServices(isPart("100.64.0.0/16")), "around it"],
    [services("100.88.128.0/17"), ofServices(isPart("100.88.0.0/16")), "ovn-kubernetes: transit"],
    [services("fd98::/112", pods6), ofServices(isPart("fd98::/64")), "openshift/hypershift#8456"],
    [services("fd97::1:0/112", pods6), ofServices(isPart("fd97::/64")), "ovn-kubernetes: transit"],
    [services("fd69::/112", pods6), ofServices(isPart("fd69::/112")), "ovn-kubernetes: masquerade"],
    [
      services("169.254.169.0/24"),
      ofServices(isReserved("169.254.0.0/16")),
      "masquerade, link-local",
    ],
    [services("127.0.0.0/16"), ofServices(isReserved("127.0.0.0/8")), "loopback"],
    [services("0.0.0.0/12"), ofServices(isReserved("0.0.0.0/8")), "this network"],
    [services("224.0.0.0/12"), ofServices(isReserved("224.0.0.0/4")), "multicast"],
    [services("010.96.0.0/12"), ofServices(/'010.96.0.0\/12' is not a CIDR/), "octal"],
    [
      services("10.130.0.0/16"),
      ofServices(/overlaps 10.128.0.0\/14, the default of pod_cidr/),
      "pods",
    ],
    [
      services("fd02::/112"),
      ofServices(/must be of the same family as 10.128.0.0\/14/),
      "families",
    ],
  ]);
});

describe("the prefix of pods", () => {
  const pods = (pod_cidr: string, nodes = 1): Ordered => ({ pod_cidr, nodes });
  const pods6 = (pod_cidr: string, nodes = 1): Ordered => ({ pod_cidr, nodes, ...v6 });
  const tooSmall = (length: number) => ofPods(new RegExp(`is too small: .*/${length} or shorter`));
  judgeInputs(read, [
    [pods("10.128.0.0/14", 500), { pod_cidr: "10.128.0.0/14" }, "the installer's default"],
    [pods("10.128.0.0/23"), { pod_cidr: "10.128.0.0/23" }, "one node"],
    [pods("10.128.0.0/22", 2), { pod_cidr: "10.128.0.0/22" }, "two nodes"],
    [pods("10.128.0.0/21", 4), { pod_cidr: "10.128.0.0/21" }, "four nodes"],
    [pods("10.0.0.0/8", 500), { pod_cidr: "10.0.0.0/8" }, "as large as one likes"],
    [pods("203.0.112.0/22"), { pod_cidr: "203.0.112.0/22" }, "documentation's own inside"],
    [pods6("fd01::/48", 500), { pod_cidr: "fd01::/48", ...v6 }, "the installer's default"],
    [pods6("fd01::/64"), { pod_cidr: "fd01::/64", ...v6 }, "one node"],
    [pods6("fd01::/63", 2), { pod_cidr: "fd01::/63", ...v6 }, "two nodes"],
    [pods("10.128.0.0/24"), tooSmall(23), "noironetworks/acc-provision#482"],
    [pods("10.128.0.0/30"), tooSmall(23), "aws/eks-anywhere#6184"],
    [pods("10.128.0.0/32"), tooSmall(23), "one address"],
    [pods("10.128.0.0/22", 3), tooSmall(21), "okd-project/okd#594"],
    [pods("10.128.0.0/22", 5), tooSmall(20), "okd-project/okd#594"],
    [pods("10.128.0.0/15", 257), tooSmall(14), "one node too many"],
    [pods6("fd01::/112"), tooSmall(64), "smaller than a node's"],
    [pods6("fd01::/64", 2), tooSmall(63), "one node too many"],
    [pods("100.64.0.0/16"), ofPods(isPart("100.64.0.0/16")), "ovn-kubernetes#1132"],
    [pods("100.64.0.0/10"), ofPods(isPart("100.64.0.0/16")), "around it"],
    [pods("100.64.128.0/23"), ofPods(isPart("100.64.0.0/16")), "in it"],
    [pods("100.88.0.0/16"), ofPods(isPart("100.88.0.0/16")), "ovn-kubernetes#1802"],
    [pods6("fd98::/48"), ofPods(isPart("fd98::/64")), "openshift/hypershift#8456"],
    [pods6("fd97::/64"), ofPods(isPart("fd97::/64")), "ovn-kubernetes: transit"],
    [pods6("fc00::/7"), ofPods(isPart("fd98::/64")), "around them all"],
    [pods6("::/0"), ofPods(isReserved("::/127")), "everything"],
    [pods("0.0.0.0/0"), ofPods(isReserved("0.0.0.0/8")), "everything"],
    [pods6("fe80::/16"), ofPods(isReserved("fe80::/10")), "link-local"],
    [pods6("ff00::/16"), ofPods(isReserved("ff00::/8")), "multicast"],
    [pods("169.254.0.0/17"), ofPods(isReserved("169.254.0.0/16")), "OVN's masquerade"],
    [
      pods("172.30.128.0/17"),
      ofPods(/overlaps 172.30.0.0\/16, the default of service_cidr/),
      "services",
    ],
    [pods("fd01::/48"), ofPods(/must be of the same family as 172.30.0.0\/16/), "families"],
    [
      { pod_cidr: "10.0.0.0/8", service_cidr: "10.128.0.0/16" },
      ofServices(/overlaps pod_cidr/),
      "both are given",
    ],
    [
      { pod_cidr: "fd01::/48", service_cidr: "172.30.0.0/16" },
      ofServices(/must be of the same family as pod_cidr/),
      "both are given",
    ],
  ]);
});

describe("the numbers of a site", () => {
  const network = {
    vlans: { first: 100, last: 199 },
    prefixes: { cidr: "10.64.0.0/12", length: 24 },
    floating_ips: { first: "203.0.113.10", last: "203.0.113.20" },
    dns_servers: ["192.0.2.53"],
  };
  const readSite = (more: object) =>
    parseOrRefuse(siteSpecSchema.shape.network, { ...network, ...more }) !== undefined;
  const cidr = (text: string) => ({ prefixes: { cidr: text, length: 28 } });
  const ips = (first: string, last: string) => ({ floating_ips: { first, last } });
  const never = (field: string, whole: string) =>
    refused(new RegExp(`${field}: must not overlap ${whole}, which is reserved`));
  judgeInputs(readSite, [
    [{}, true, "usual"],
    [cidr("100.96.0.0/12"), true, "shared address space (RFC 6598), beside OVN's"],
    [cidr("198.51.100.0/24"), true, "documentation's own"],
    [ips("10.63.255.0", "10.63.255.255"), true, "the addresses before the prefixes"],
    [ips("10.80.0.0", "10.80.0.9"), true, "the addresses behind the prefixes"],
    [{ dns_servers: ["8.8.8.8", "10.80.0.53"] }, true, "name servers anywhere"],
    [cidr("224.0.0.0/12"), never("prefixes.cidr", "224.0.0.0/3"), "multicast"],
    [cidr("240.0.0.0/12"), never("prefixes.cidr", "224.0.0.0/3"), "reserved"],
    [cidr("127.0.0.0/12"), never("prefixes.cidr", "127.0.0.0/8"), "loopback"],
    [cidr("169.254.0.0/16"), never("prefixes.cidr", "169.254.0.0/16"), "link-local"],
    [
      { dns_servers: ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"] },
      true,
      "five name servers",
    ],
    [
      {
        dns_servers: ["1.1.1.1", "1.1.1.2", "1.1.1.3", "1.1.1.4", "1.1.1.5", "1.1.1.6"],
      },
      refused(/dns_servers: /),
      "six name servers",
    ],
    [
      { dns_servers: ["192.0.2.1", "192.0.2.2", "192.0.2.1"] },
      refused(/dns_servers\[2\]: is listed twice/),
      "a name server twice",
    ],
    [{ dns_servers: ["127.0.0.1"] }, never("dns_servers\\[0\\]", "127.0.0.0/8"), "loopback"],
    [{ dns_servers: ["1.1.1.1", "0.0.0.0"] }, never("dns_servers\\[1\\]", "0.0.0.0/8"), "none"],
    [{ dns_servers: ["224.0.0.251"] }, never("dns_servers\\[0\\]", "224.0.0.0/3"), "multicast"],
    [ips("10.64.0.10", "10.64.0.20"), refused(/must not be in 10.64.0.0\/12/), "in its prefixes"],
    [ips("10.63.255.250", "10.64.0.1"), refused(/must not be in 10.64.0.0\/12/), "one of them is"],
    [ips("127.0.0.1", "127.0.0.9"), never("floating_ips", "127.0.0.0/8"), "loopback"],
  ]);

  const loopbacks = (first: string, last: string) => ({ loopbacks: { first, last } });
  const admin = (cidr: string, gateway: string) => ({ admin_network: { cidr, gateway } });
  const isEnd = refused(/admin_network.gateway: must not be the first or last address of 10.8.0/);
  const isSmall = refused(/admin_network.cidr: must be \/30 or shorter/);
  const noMachine = (field: string, address: string) =>
    refused(new RegExp(`${field}: must have the address of a machine, not ${address}`));
  const readMachines = (more: object) =>
    parseOrRefuse(machinesSchema, { url: "http://10.0.0.2", ...more }) !== undefined;
  judgeInputs(readMachines, [
    [{ management_network: { cidr: "10.9.0.0/22" } }, true, "usual"],
    [
      { management_network: { cidr: "224.0.0.0/22" } },
      never("management_network.cidr", "224.0.0.0/3"),
      "multicast",
    ],
    [
      { admin_network: { cidr: "127.0.0.0/22", gateway: "127.0.0.1" } },
      never("admin_network.cidr", "127.0.0.0/8"),
      "loopback",
    ],
    [loopbacks("10.251.0.1", "10.251.255.254"), true, "usual"],
    [loopbacks("10.251.0.1", "10.251.0.1"), true, "one"],
    [loopbacks("127.0.0.1", "127.0.0.9"), never("loopbacks", "127.0.0.0/8"), "the DPU itself"],
    [loopbacks("224.0.0.1", "224.0.0.9"), never("loopbacks", "224.0.0.0/3"), "multicast"],
    [loopbacks("0.0.0.0", "255.255.255.255"), never("loopbacks", "0.0.0.0/8"), "everything"],
    [loopbacks("169.253.0.0", "169.254.0.9"), never("loopbacks", "169.254.0.0/16"), "one of them"],
    [admin("10.8.0.0/22", "10.8.0.1"), true, "usual"],
    [admin("10.8.0.0/22", "10.8.1.0"), true, "no end of it"],
    [admin("10.8.0.5/22", "10.8.3.254"), true, "host bits, and the last address of a machine"],
    [admin("10.8.0.0/30", "10.8.0.2"), true, "one host"],
    [admin("10.8.0.0/22", "10.8.0.0"), isEnd, "the network's own"],
    [admin("10.8.0.7/22", "10.8.0.0"), isEnd, "the network's own"],
    [admin("10.8.0.0/22", "10.8.3.255"), isEnd, "broadcast"],
    [admin("10.8.0.1/32", "10.8.0.1"), isSmall, "no host"],
    [admin("10.8.0.0/31", "10.8.0.1"), isSmall, "no host"],
    [{ management_network: { cidr: "10.9.0.1/32" } }, true, "one controller"],
    [{ url: "http://127.0.0.1:8080" }, true, "all of it on this machine"],
    [{ url: "http://0.0.0.0:8080" }, noMachine("url", "0.0.0.0"), "no address"],
    [{ url: "http://255.255.255.255" }, noMachine("url", "255.255.255.255"), "broadcast"],
    [{ url: "http://[::]:8080" }, noMachine("url", "::"), "no address"],
    [{ loader: "http://224.0.0.1/x" }, noMachine("loader", "224.0.0.1"), "multicast"],
    [{ bfb: "http://[ff02::1]/x" }, noMachine("bfb", "ff02::1"), "multicast"],
  ]);
});

describe("the other end of a security group's rule", () => {
  const readRule = (ipv4_cidr: string) =>
    parseOrRefuse(ruleInputSchema, { protocol: "PROTOCOL_ALL", ipv4_cidr }).ipv4_cidr;
  judgeInputs(readRule, [
    ["0.0.0.0/0", "0.0.0.0/0", "everybody"],
    ["0.0.0.0/00", "0.0.0.0/0", "zeros before a length"],
    ["1.2.3.4/24", "1.2.3.0/24", "host bits"],
    ["1.2.3.4/32", "1.2.3.4/32", "one address"],
    ["1.2.3.4/024", "1.2.3.0/24", "zeros before a length"],
    ["1.2.3.4", refused(/is not a CIDR/), "no length"],
    ["1.2.3.4/33", refused(/is not a CIDR/), "too long"],
    ["01.2.3.4/24", refused(/is not a CIDR/), "octal"],
  ]);
});
