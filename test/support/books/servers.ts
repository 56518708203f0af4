import { poolKey } from "../../../core/kernel/object/keys.ts";
import type { Check } from "./check.ts";
import type { SiteBooks } from "./site.ts";

/**
 * At rest a server that is on has an agent, or is a node; its drive is empty and nobody is logged in at its
 * controller; and none is free that has somebody's data on its disks.
 */
export const servers: Check<SiteBooks> = {
  of: [],
  wrong({ world, hosts, table }) {
    const ledger = world.ledger();
    const of = (kind: string) => ledger.filter((item) => item.kind === kind).map(({ id }) => id);
    const agents = new Set(of("Agent").map((id) => id.split("/").at(-1)));
    const free = new Set(
      hosts.flatMap(({ id, spec, status }) =>
        table.item(poolKey(spec.hub, spec.host_type, id))?.state === "free"
          ? [status.agent?.name]
          : [],
      ),
    );
    return [
      ...of("power").flatMap((id) =>
        agents.has(id.split("/").at(-1)) ? [] : [`server ${id} is on for nobody`],
      ),
      ...of("virtual_media").map((id) => `an image is left in the virtual drive ${id}`),
      ...of("bmc_session").map((id) => `a session is left open at a controller: ${id}`),
      ...of("disk_mark").flatMap((id) =>
        free.has(id.split("/").at(-3)) ? [`a server is free that was not erased: ${id}`] : [],
      ),
    ];
  },
};
