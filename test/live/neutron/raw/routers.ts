import type { Row } from "../../compare.ts";
import { interfaces, nobody, post, remove } from "./ask.ts";

/** Routers, and the interface of the subnet. */
export const routerRows: Row[] = [
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
];
