import type { Known, Raw, Row } from "../compare.ts";

/** What is asked of Neutron, and what is wrong with it. */

const nobody = "00000000-0000-0000-0000-000000000000";
const singular = (collection: string) => collection.replaceAll("-", "_").replace(/s$/, "");

const post =
  (collection: string, body: object | ((known: Known) => object)) =>
  (known: Known): Raw => ({
    method: "POST",
    path: `/v2.0/${collection}`,
    body: { [singular(collection)]: typeof body === "function" ? body(known) : body },
  });
const put =
  (collection: string, name: string, body: object, headers?: Record<string, string>) =>
  (known: Known): Raw => ({
    method: "PUT",
    path: `/v2.0/${collection}/${known[name] ?? name}`,
    body: { [singular(collection)]: body },
    ...(headers && { headers }),
  });
const remove = (collection: string, name: string) => (known: Known) => ({
  method: "DELETE",
  path: `/v2.0/${collection}/${known[name] ?? name}`,
});
const read = (path: string) => ({ method: "GET", path: `/v2.0/${path}` });
const interfaces =
  (action: string, name: string, body: (known: Known) => object) => (known: Known) => ({
    method: "PUT",
    path: `/v2.0/routers/${known[name] ?? name}/${action}_router_interface`,
    body: body(known),
  });
const tag = (name: string, tags: string[]) => (known: Known) => ({
  method: "PUT",
  path: `/v2.0/networks/${known[name] ?? name}/tags`,
  body: { tags },
});

const vlan = (id: number, physical = "physnet1") => ({
  "provider:network_type": "vlan",
  "provider:physical_network": physical,
  "provider:segmentation_id": id,
});
const subnet = (more: object) => (known: Known) => ({
  network_id: known.network,
  ip_version: 4,
  cidr: "10.1.0.0/24",
  ...more,
});
const port = (more: object) => (known: Known) => ({ network_id: known.network, ...more });
const servers = (count: number) => Array.from({ length: count }, (_, n) => `192.0.2.${n + 1}`);
const rule = (more: object) => (known: Known) => ({
  security_group_id: known.group,
  direction: "ingress",
  ...more,
});
const bareMetal = (name: string) => ({
  "binding:vnic_type": "baremetal",
  "binding:host_id": "host-1",
  "binding:profile": { local_link_information: [{ switch_info: name, port_id: "Ethernet1/1" }] },
});

export const neutronRows: Row[] = [
  {
    what: "a network",
    ask: post("networks", { name: "raw", ...vlan(130) }),
    keep: ["network", "network.id"],
  },
  { what: "it", ask: (known) => read(`networks/${known.network}`) },
  { what: "its VLAN again", ask: post("networks", vlan(130)) },
  { what: "a VLAN that there cannot be", ask: post("networks", vlan(5000)) },
  {
    what: "a VLAN of no physical network",
    ask: post("networks", { "provider:segmentation_id": 131 }),
  },
  { what: "a physical network that there is not", ask: post("networks", vlan(131, "nowhere")) },
  { what: "a member that there is not", ask: post("networks", { colour: "red" }) },
  { what: "tags at creation", ask: post("networks", { name: "tagged", tags: ["a"] }) },
  {
    what: "a body that names something else",
    ask: { method: "POST", path: "/v2.0/networks", body: { net: {} } },
  },
  { what: "a network that there is not", ask: read(`networks/${nobody}`) },
  { what: "a kind that there is not", ask: read("nothing") },
  { what: "a filter that there is not", ask: read("networks?colour=red") },
  { what: "two members of all networks", ask: read("networks?fields=id&fields=name") },
  { what: "a network by its name", ask: read("networks?name=raw") },
  {
    what: "a change of a revision that is over",
    ask: put("networks", "network", { name: "b" }, { "if-match": "revision_number=99" }),
  },
  {
    what: "a change of two revisions",
    ask: put(
      "networks",
      "network",
      { name: "b" },
      { "if-match": "revision_number=1,revision_number=2" },
    ),
  },
  { what: "another name", ask: put("networks", "network", { name: "raw-2" }) },

  { what: "tags", ask: tag("network", ["a", "b"]) },
  { what: "a tag twice", ask: tag("network", ["a", "a"]) },
  {
    what: "51 tags",
    ask: tag(
      "network",
      Array.from({ length: 51 }, (_, n) => `t${n}`),
    ),
  },
  { what: "a long tag", ask: tag("network", ["x".repeat(256)]) },
  { what: "tags of a network that there is not", ask: tag(nobody, ["a"]) },
  {
    what: "a tag that is there",
    ask: (known) => ({ method: "PUT", path: `/v2.0/networks/${known.network}/tags/a` }),
  },
  {
    what: "a tag goes that there is not",
    ask: (known) => ({ method: "DELETE", path: `/v2.0/networks/${known.network}/tags/zz` }),
  },

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

  {
    what: "a port",
    ask: post(
      "ports",
      port({ mac_address: "52:54:00:00:00:01", fixed_ips: [{ ip_address: "10.1.0.15" }] }),
    ),
    keep: ["port", "port.id"],
  },
  {
    what: "its MAC again, in capitals",
    ask: post("ports", port({ mac_address: "52:54:00:00:00:01".toUpperCase() })),
  },
  {
    what: "its address again",
    ask: post("ports", port({ fixed_ips: [{ ip_address: "10.1.0.15" }] })),
  },
  {
    what: "an address of no subnet",
    ask: post("ports", port({ fixed_ips: [{ ip_address: "10.9.0.15" }] })),
  },
  {
    what: "the broadcast address",
    ask: post("ports", (known) => ({
      network_id: known.network,
      fixed_ips: [{ subnet_id: known.subnet, ip_address: "10.1.0.255" }],
    })),
  },
  {
    what: "the network's own address",
    ask: post("ports", (known) => ({
      network_id: known.network,
      fixed_ips: [{ subnet_id: known.subnet, ip_address: "10.1.0.0" }],
    })),
  },
  {
    what: "an address of another subnet",
    ask: post("ports", (known) => ({
      network_id: known.network,
      fixed_ips: [{ subnet_id: known.subnet, ip_address: "10.2.0.5" }],
    })),
  },
  { what: "a port of a network that there is not", ask: post("ports", { network_id: nobody }) },
  { what: "a MAC that is none", ask: post("ports", port({ mac_address: "nonsense" })) },
  { what: "a group that there is not", ask: post("ports", port({ security_groups: [nobody] })) },
  {
    what: "no security, with a group",
    ask: put("ports", "port", { port_security_enabled: false }),
  },
  {
    what: "no security, without a group",
    ask: put("ports", "port", { port_security_enabled: false, security_groups: [] }),
  },
  {
    what: "a port of bare metal",
    ask: post("ports", port({ mac_address: "52:54:00:00:00:02", ...bareMetal("leaf-a1") })),
    keep: ["bare", "port.id"],
  },
  {
    what: "another MAC for it while it is bound",
    ask: put("ports", "bare", { mac_address: "52:54:00:00:00:09" }),
  },
  {
    what: "one at a switch that there is not",
    ask: post("ports", port({ mac_address: "52:54:00:00:00:03", ...bareMetal("leaf-x") })),
    keep: ["unbound", "port.id"],
  },
  { what: "ports by their network", ask: (known) => read(`ports?network_id=${known.network}`) },
  { what: "a network goes that has ports", ask: remove("networks", "network") },
  { what: "a subnet goes that has ports", ask: remove("subnets", "subnet") },

  {
    what: "a router without a way out",
    ask: post("routers", { name: "inside" }),
    keep: ["inside", "router.id"],
  },
  {
    what: "a way out by a network inside",
    ask: post("routers", (known) => ({ external_gateway_info: { network_id: known.network } })),
  },
  {
    what: "a way out by a network that there is not",
    ask: post("routers", { external_gateway_info: { network_id: nobody } }),
  },
  {
    what: "a router",
    ask: post("routers", (known) => ({
      name: "raw",
      external_gateway_info: { network_id: known.outside },
    })),
    keep: ["router", "router.id"],
  },
  {
    what: "its own address as another's",
    ask: post("routers", (known) => ({
      external_gateway_info: {
        network_id: known.outside,
        external_fixed_ips: [{ ip_address: "203.0.113.1" }],
      },
    })),
  },
  {
    what: "an interface of both",
    ask: interfaces("add", "router", ({ subnet: subnet_id, port: port_id }) => ({
      subnet_id,
      port_id,
    })),
  },
  { what: "an interface of neither", ask: interfaces("add", "router", () => ({})) },
  {
    what: "an interface of a subnet that there is not",
    ask: interfaces("add", "router", () => ({ subnet_id: nobody })),
  },
  {
    what: "a floating IP that no router leads to",
    ask: post("floatingips", (known) => ({
      floating_network_id: known.outside,
      port_id: known.port,
    })),
  },
  {
    what: "an interface",
    ask: interfaces("add", "router", ({ subnet: subnet_id }) => ({ subnet_id })),
  },
  {
    what: "it again",
    ask: interfaces("add", "router", ({ subnet: subnet_id }) => ({ subnet_id })),
  },
  {
    what: "the interface of another router goes",
    ask: interfaces("remove", "inside", ({ subnet: subnet_id }) => ({ subnet_id })),
  },
  { what: "a router goes that has one", ask: remove("routers", "router") },
  { what: "a router goes that there is not", ask: remove("routers", nobody) },

  {
    what: "a floating IP",
    ask: post("floatingips", (known) => ({
      floating_network_id: known.outside,
      port_id: known.port,
      floating_ip_address: "203.0.113.99",
    })),
    keep: ["floating", "floatingip.id"],
  },
  {
    what: "its address again",
    ask: post("floatingips", (known) => ({
      floating_network_id: known.outside,
      floating_ip_address: "203.0.113.99",
    })),
  },
  {
    what: "one more for its port",
    ask: post("floatingips", (known) => ({
      floating_network_id: known.outside,
      port_id: known.port,
    })),
  },
  {
    what: "an address outside of the outside",
    ask: post("floatingips", (known) => ({
      floating_network_id: known.outside,
      floating_ip_address: "192.0.2.9",
    })),
  },
  {
    what: "one of a network inside",
    ask: post("floatingips", (known) => ({ floating_network_id: known.network })),
  },
  {
    what: "one for a port that there is not",
    ask: post("floatingips", (known) => ({ floating_network_id: known.outside, port_id: nobody })),
  },
  {
    what: "an address that its port has not",
    ask: put("floatingips", "floating", { fixed_ip_address: "10.1.0.77" }),
  },
  { what: "a description", ask: put("floatingips", "floating", { description: "mine" }) },
  {
    what: "the interface goes that it needs",
    ask: interfaces("remove", "router", ({ subnet: subnet_id }) => ({ subnet_id })),
  },
  {
    what: "the way out goes that it needs",
    ask: put("routers", "router", { external_gateway_info: {} }),
  },
  { what: "a change of nothing", ask: put("floatingips", "floating", {}) },
  {
    what: "where it leads then",
    ask: (known) => read(`floatingips/${known.floating}?fields=port_id`),
  },
  { what: "the floating IP goes", ask: remove("floatingips", "floating") },
  { what: "it goes again", ask: remove("floatingips", "floating") },

  {
    what: "a security group",
    ask: post("security-groups", { name: "raw" }),
    keep: ["group", "security_group.id"],
  },
  {
    what: "a rule",
    ask: post(
      "security-group-rules",
      rule({ protocol: "tcp", port_range_min: 443, port_range_max: 443 }),
    ),
  },
  {
    what: "it again",
    ask: post(
      "security-group-rules",
      rule({ protocol: "tcp", port_range_min: 443, port_range_max: 443 }),
    ),
  },
  {
    what: "ports the wrong way round",
    ask: post(
      "security-group-rules",
      rule({ protocol: "tcp", port_range_min: 90, port_range_max: 80 }),
    ),
  },
  {
    what: "ports of no protocol",
    ask: post("security-group-rules", rule({ port_range_min: 80, port_range_max: 90 })),
  },
  {
    what: "a prefix of the other family",
    ask: post("security-group-rules", rule({ remote_ip_prefix: "fd00::/64" })),
  },
  {
    what: "a prefix and a group",
    ask: post("security-group-rules", (known) => ({
      ...rule({ remote_ip_prefix: "10.0.0.0/8" })(known),
      remote_group_id: known.group,
    })),
  },
  {
    what: "a rule of a group that there is not",
    ask: post("security-group-rules", { security_group_id: nobody, direction: "ingress" }),
  },
  {
    what: "everything",
    ask: post("security-group-rules", rule({ remote_ip_prefix: "0.0.0.0/0" })),
  },
  { what: "everything, said otherwise", ask: post("security-group-rules", rule({})) },
  { what: "a rule goes that there is not", ask: remove("security-group-rules", nobody) },
  { what: "the group goes", ask: remove("security-groups", "group") },
  { what: "it goes again", ask: remove("security-groups", "group") },

  ...[
    "networks",
    "ports",
    "subnets",
    "routers",
    "floatingips",
    "security-groups",
    "security-group-rules",
  ].map(
    (collection): Row => ({
      what: `a marker that is gone, of ${collection}`,
      ask: read(`${collection}?limit=2&marker=${nobody}`),
    }),
  ),
  { what: "a page", ask: read("networks?limit=1") },
  { what: "a limit that is none", ask: read("networks?limit=few") },

  {
    what: "the interface goes",
    ask: interfaces("remove", "router", ({ subnet: subnet_id }) => ({ subnet_id })),
  },
  { what: "the router goes", ask: remove("routers", "router") },
  { what: "the other router goes", ask: remove("routers", "inside") },
  ...["port", "bare", "unbound"].map(
    (name): Row => ({ what: `port ${name} goes`, ask: remove("ports", name) }),
  ),
  { what: "the subnet goes", ask: remove("subnets", "subnet") },
  { what: "the network goes", ask: remove("networks", "network") },
];
