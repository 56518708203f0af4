import { poolKey } from "../../../core/kernel/object/hub-keys.ts";
import { namesService } from "../../../core/ports/bare-metal/address.ts";
import { hostId } from "../../../sim/host.ts";
import type { Check } from "./check.ts";
import type { SiteBooks } from "./site.ts";

/**
 * At rest a server that is on has an agent, is a node, or runs the image of the instance that has it; its drive is empty and nobody is logged in at its
 * controller; none is free that has somebody's data on its disks; and services have servers for hosts that
 * there are. A host that is set aside is left as it is,
 * for a person to look at.
 */
export const servers: Check<SiteBooks> = {
  of: [],
  wrong({ world, hosts, table }) {
    const ledger = world.ledger();
    const of = (kind: string) => ledger.filter((item) => item.kind === kind).map(({ id }) => id);
    const namesOf = (which: (typeof hosts)[number][]) =>
      new Set(which.map(({ metadata: { name } }) => hostId(name)));
    const isIn = (names: Set<string>) => (id: string) =>
      id.split("/").some((part) => names.has(part));
    const isSetAside = isIn(namesOf(hosts.filter(({ server }) => server?.quarantine)));
    // What was released may still be cleaned and discovered.
    const isUnderWay = isIn(namesOf(hosts.filter(({ operation }) => operation !== undefined)));
    const agents = new Set(of("Agent").map((id) => id.split("/").at(-1)));
    const free = new Set(
      hosts.flatMap(({ id, spec, status }) =>
        table.item(poolKey(spec.hub, spec.host_type, id))?.state === "free"
          ? [status.agent?.name]
          : [],
      ),
    );
    const givenUp = table.items("giving-up").map(({ host }) => String(host));
    const claiming = new Set([
      ...hosts.flatMap(({ id, spec, server }) =>
        namesService(spec.bmc.address) && !server?.isRetired ? [String(id)] : [],
      ),
      ...givenUp,
    ]);
    const tenants = new Map(
      table
        .objects("baremetal_instance")
        .flatMap(({ id, placement }) =>
          Object.values(placement?.hosts ?? {})
            .flat()
            .map((host) => [hosts.find((each) => each.id === host)?.metadata.name ?? "", id]),
        )
        .map(([name = "", id]) => [hostId(name), id]),
    );
    const marks = of("disk_mark");
    /** Whether what is on a server's disks is its tenant's, and nobody else's. */
    const runsFor = (id: string) => {
      const own = marks.filter((mark) => mark.startsWith(`${id}/`));
      // Where there are several sites, an id begins with that of its site.
      const tenant = tenants.get(id.split("/").at(-1) ?? "");
      return own.length > 0 && own.every((mark) => mark.endsWith(`/instance ${tenant}`));
    };
    return [
      ...of("power").flatMap((id) =>
        agents.has(id.split("/").at(-1)) || isSetAside(id) || isUnderWay(id) || runsFor(id)
          ? []
          : [`server ${id} is on for nobody`],
      ),
      ...of("virtual_media").flatMap((id) =>
        isSetAside(id) || isUnderWay(id) ? [] : [`an image is left in the virtual drive ${id}`],
      ),
      ...of("bmc_session").map((id) => `a session is left open at a controller: ${id}`),
      ...ledger.flatMap(({ kind, id, owner }) =>
        kind !== "server_claim" || owner === null || claiming.has(owner.id)
          ? []
          : [`${id} is claimed for host ${owner.id}, which does not have it`],
      ),
      ...of("disk_mark").flatMap((id) =>
        free.has(id.split("/").at(-3)) ? [`a server is free that was not erased: ${id}`] : [],
      ),
    ];
  },
};
