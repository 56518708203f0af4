import type { Row } from "../../compare.ts";
import { interfaces, nobody, post, put, read, remove } from "./ask.ts";

/** Floating IPs for the port. */
export const floatingIpRows: Row[] = [
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
];
