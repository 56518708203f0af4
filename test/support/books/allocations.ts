import { ticketKeyOf } from "../../../core/kernel/claim/ticket.ts";
import { allocationHostsKey } from "../../../core/kernel/object/hub-keys.ts";
import { reservedBy } from "../../../core/placement/pool/entries.ts";
import { allocationCounts } from "../../../core/placement/pool/reserved.ts";
import { hostQueue } from "../../../core/placement/queues/tickets.ts";
import type { Check } from "./check.ts";
import { entryOf } from "./hosts.ts";
import type { SiteBooks } from "./site.ts";
import { Sums } from "./sums.ts";

/** Every host that is kept is an allocation's, which has no more than it is to have, and stands in line for the rest. */
export const allocations: Check<SiteBooks> = {
  of: ["allocation-hosts"],
  wrong(books) {
    const { table, hosts, placed } = books;
    const all = table.objects("allocation");
    const known = new Map(all.map((each) => [each.id, each]));
    const sums = new Sums();
    const wrong: string[] = [];
    const count = (name: string, allocation: string, tenant: string, counters: string[]) => {
      for (const counter of ["total", ...counters])
        sums.add(allocationHostsKey(allocation), counter);
      if (known.get(allocation)?.metadata.tenant !== tenant)
        wrong.push(`${name} is kept for ${tenant} by ${allocation}, which does not keep it`);
    };
    for (const host of hosts) {
      const kept = reservedBy(entryOf(books, host));
      const { hub, host_type } = host.spec;
      if (kept) count(`host ${host.id}`, kept.allocation, kept.tenant, [`at:${hub}#${host_type}`]);
    }
    for (const { id, metadata, placement } of placed) {
      const held: string[] = Object.values(placement?.hosts ?? {}).flat();
      for (const [host, allocation] of Object.entries(placement?.kept ?? {})) {
        count(`host ${host} of ${id}`, allocation, metadata.tenant, ["used"]);
        if (!held.includes(host)) wrong.push(`${id} counts ${host}, which it does not hold`);
      }
    }
    for (const { id, spec, host_types, ...allocation } of all) {
      const { free, used } = allocationCounts(table.item(allocationHostsKey(id)));
      const lacking = spec.reserved - free - used;
      if (lacking < 0) wrong.push(`allocation ${id} has ${-lacking} hosts too many`);
      for (const type of host_types) {
        const ticket = table.item(ticketKeyOf(hostQueue(type), { id, ...allocation }));
        if ((ticket !== undefined) !== lacking > 0)
          wrong.push(
            `allocation ${id} lacks ${lacking}, and ${ticket ? "waits" : "does not wait"}`,
          );
      }
    }
    const stray = table
      .items("allocation-hosts")
      .filter(({ pk }) => !all.some(({ id }) => allocationHostsKey(id).pk === pk));
    return [
      ...wrong,
      ...stray.map(({ pk }) => `${pk} is of no allocation`),
      ...sums.wrongIn(table, this.of, (name) => name !== "woken"),
    ];
  },
};
