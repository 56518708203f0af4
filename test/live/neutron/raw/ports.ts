import type { Known, Row } from "../../compare.ts";
import { nobody, post, put, read, remove } from "./ask.ts";

const port = (more: object) => (known: Known) => ({ network_id: known.network, ...more });
const bareMetal = (name: string) => ({
  "binding:vnic_type": "baremetal",
  "binding:host_id": "host-1",
  "binding:profile": { local_link_information: [{ switch_info: name, port_id: "Ethernet1/1" }] },
});

/** Ports of the network, a virtual one and those of bare metal. */
export const portRows: Row[] = [
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
];
