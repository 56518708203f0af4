import type { Row } from "../../compare.ts";
import { interfaces, nobody, read, remove } from "./ask.ts";
import { floatingIpRows } from "./floating-ips.ts";
import { networkRows } from "./networks.ts";
import { portRows } from "./ports.ts";
import { routerRows } from "./routers.ts";
import { securityGroupRows } from "./security-groups.ts";
import { subnetRows } from "./subnets.ts";

/** Pages of lists; then what the others have made goes. */
const lastRows: Row[] = [
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

/** What is asked of Neutron, and what is wrong with it. Each family stands on what those before it have made. */
export const neutronRows: Row[] = [
  ...networkRows,
  ...subnetRows,
  ...portRows,
  ...routerRows,
  ...floatingIpRows,
  ...securityGroupRows,
  ...lastRows,
];
