import { isDeepStrictEqual } from "node:util";
import { ticketKeyOf, ticketsIn } from "../../kernel/claim/ticket.ts";
import type { Deps } from "../../kernel/deps.ts";
import { allocationHostsKey } from "../../kernel/object/hub-keys.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import { oncePerCounter } from "../../kernel/store/once-per-counter.ts";
import { isWritten } from "../../kernel/store/optimistically.ts";
import { any, compare, lacks, type Write } from "../../kernel/store/store.ts";
import type { HostSearch } from "../choose/demand.ts";
import type { Plan } from "../choose/plan.ts";
import { scaleUpHub } from "../hot-pools/scale-up.ts";
import { couldServe } from "../hubs/candidate.ts";
import { hostQueue, type Ticket, takeTicket } from "../queues/tickets.ts";
import { unchanged } from "./move-hosts.ts";

/** The tickets of an allocation that lacks hosts, in the queues for their types. */

type Allocation = ObjectOf["allocation"];

/** The hot pools that should discover the hosts that an allocation lacks; undefined where none can. */
export type ScaleUp = NonNullable<Ticket["raises"]> | undefined;

/** An allocation searches for one host at a time, since its hosts may be on several hubs. */
export function searchOf({ metadata, spec }: Allocation, hostType: string): HostSearch {
  return {
    owner: { tenant: metadata.tenant },
    wants: [{ set: "kept", hostType, count: 1 }],
    slot: false,
    where: { ...(spec.site !== undefined && { site: spec.site }) },
    queues: [hostQueue(hostType)],
    free: true,
  };
}

/** Takes a ticket for each of its types while it lacks hosts, and drops the tickets once it lacks none. */
export async function updateTickets(
  deps: Deps,
  allocation: Allocation,
  lacking: number,
  plans: ReadonlyMap<string, Plan>,
): Promise<{ hasNewTicket: boolean; scaleUps: ScaleUp[] }> {
  const names = allocation.host_types.map(hostQueue);
  const present = await ticketsIn(deps.store, names, allocation);
  const writes: Write[] = [];
  const scaleUps: ScaleUp[] = [];
  for (const hostType of allocation.host_types) {
    const queueName = hostQueue(hostType);
    const held = present.get(queueName);
    if (lacking <= 0) {
      if (held) writes.push({ delete: ticketKeyOf(queueName, allocation) });
      continue;
    }
    const scaleUp = await scaleUpFor(deps, allocation, hostType, lacking, plans.get(hostType));
    scaleUps.push(scaleUp);
    const demand = searchOf(allocation, hostType);
    const ticket = takeTicket(queueName, allocation, {
      allocation: allocation.id,
      where: { tenant: demand.owner.tenant, ...demand.where },
      needs: { [hostType]: 1 },
      ...(scaleUp && { raises: scaleUp }),
    });
    if (!isDeepStrictEqual(ticket.put, held)) writes.push(ticket);
  }
  // A concurrent change of its hosts or of its desired number triggers another fill, so a refusal is ignored.
  const { reserved } = allocation.spec;
  const stillLacks = any(lacks("total"), compare("total", "lt", reserved));
  const still = lacking > 0 ? stillLacks : compare("total", "ge", reserved);
  if (writes.length > 0)
    await isWritten(deps.store, [
      ...oncePerCounter(writes),
      unchanged(allocation),
      { check: allocationHostsKey(allocation.id), if: still },
    ]);
  return { hasNewTicket: writes.some((write) => "put" in write), scaleUps };
}

async function scaleUpFor(
  deps: Deps,
  allocation: Allocation,
  hostType: string,
  lacking: number,
  found: Plan | undefined,
): Promise<ScaleUp> {
  if (!found) return undefined;
  const demand = searchOf(allocation, hostType);
  const where = { tenant: demand.owner.tenant, ...demand.where };
  const hubs = found.read.filter((each) => couldServe(each, { where, needs: { [hostType]: 1 } }));
  const wanted = { lacking: new Map([[hostType, lacking]]), ahead: found.ahead };
  const at = await scaleUpHub(deps, allocation, { demand, placement: undefined }, hubs, wanted);
  return at === undefined ? undefined : { hub: at, hosts: { [hostType]: lacking } };
}
