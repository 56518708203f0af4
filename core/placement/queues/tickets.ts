import { ticketKeyOf, type Waiter } from "../../kernel/claim/ticket.ts";
import { ticketPartition } from "../../kernel/object/keys.ts";
import type { Operation } from "../../kernel/saga/operation.ts";
import { pagesIn } from "../../kernel/store/pages.ts";
import type { Item, Put, Store } from "../../kernel/store/store.ts";
import { type Candidate, type Constraints, couldServe, type Needs } from "../hubs/candidate.ts";
import type { Racks } from "../pool/host.ts";

/**
 * Queues of operations that wait, one for each thing that can be scarce, in order of arrival. An
 * operation that waits holds nothing but its tickets, and it may have one in several queues.
 *
 *     queue            its tickets wait for               woken by
 *     hub              any hub at all                     a hub that was added, answers again, changed or has a free slot
 *     slot             a control-plane slot of a hub      the same, and a ticket of the queue that is dropped
 *     host:<type>      hosts of that type on one hub      hosts released or added there, a ticket dropped
 *     numbers:<pool>   numbers of a pool                  numbers released, a ticket dropped
 *
 *     reserve, claimQueued ── takeTicket ──▶ queue ◀── dropTicket ── served, ended, undone
 *                                              │            │
 *     capacity-freed (from the stream) ────────┴─ wakes ◀───┘
 *                                              ▼
 *                    the first are rechecked (Deps.rechecks): they reserve, or wait on
 *
 * A new operation may not claim on a hub what an earlier ticket waits for there. A ticket that a hub could
 * never serve blocks nobody at that hub; it keeps its position until hosts are added. A ticket with
 * racks blocks nobody either, since no counter has the hosts of each rack. The queue for any hub blocks
 * nobody. A queue of numbers is strict: only its first ticket is served.
 *
 * An allocation that lacks hosts has a ticket too, dated by its creation, but no operation: a wake touches its
 * counters, so that the relay fills it (`fill.ts`). Its tenant does not wait behind it.
 */

export const slotQueue = "slot";
export const hostQueue = (hostType: string): string => `host:${hostType}`;
export const hostPrefix = hostQueue("");
export const hubQueue = "hub";
export const numbersQueue = (pool: string): string => `numbers:${pool}`;
export const isOfNumbers = (queueName: string): boolean => queueName.startsWith("numbers:");

export type Ticket = TicketDemand & (OfOperation | OfAllocation);

interface OfOperation {
  operation: string;
  step: string;
  allocation?: undefined;
}

interface OfAllocation {
  allocation: string;
}

interface TicketDemand {
  where: Constraints;
  /** The ticket blocks nobody at a hub that has fewer hosts than this in total. */
  needs: Needs;
  /** It requests hosts placed in racks; such a ticket blocks nobody. */
  racks?: Racks;
  /** The hub whose hot pools should scale up for it, and the number of hosts that it lacks, by type. */
  raises?: { hub: string; hosts: Needs };
}

export function takeTicket(queueName: string, waiter: Waiter, ticket: Ticket): Put {
  const stored = JSON.parse(JSON.stringify(ticket));
  return { put: { ...ticketKeyOf(queueName, waiter), ticket: stored } };
}

/** The operation or the allocation that waits. */
export const waiterIn = (ticket: Ticket): string =>
  ticket.allocation === undefined ? ticket.operation : ticket.allocation;

/** The ticket in an item. Only this module writes such items, so the cast is safe. */
export const ticketIn = (item: Item): Ticket => item.ticket as unknown as Ticket;

/** The tickets of a queue in order of arrival, up to a sort key. Strongly consistent. */
export async function* queue(store: Store, queueName: string, to?: string): AsyncGenerator<Ticket> {
  const range = to === undefined ? {} : { range: { to } };
  const query = { pk: ticketPartition(queueName), limit: 50, ...range };
  for await (const items of pagesIn(store, query)) yield* items.map(ticketIn);
}

/**
 * An operation's position in a queue of numbers, 1 for the next; counted like `positionInQueues`. `stands`: whether its
 * ticket was found; beyond `positionsCounted` it is not searched for.
 */
export async function positionInNumbers(
  store: Store,
  queueName: string,
  operation: Operation,
): Promise<{ place: number; stands: boolean }> {
  let [place, stands] = [1, false];
  for await (const ticket of queue(store, queueName, ticketKeyOf(queueName, operation).sk)) {
    if (place > positionsCounted) break;
    if (waiterIn(ticket) === operation.id) stands = true;
    else place += 1;
  }
  return { place, stands };
}

/** The operations in a queue, in order; as many as positions are counted, and one more for all later ones. */
export async function waitersIn(store: Store, queueName: string): Promise<Set<string>> {
  const waiting = new Set<string>();
  for await (const ticket of queue(store, queueName)) {
    waiting.add(waiterIn(ticket));
    if (waiting.size > positionsCounted) break;
  }
  return waiting;
}

/** Reads the tickets before an operation's own in a queue, in order of arrival. */
export type TicketsAhead = (queueName: string) => AsyncGenerator<Ticket>;

/**
 * The tickets before an operation's own. Each queue is read once, and only as far as needed, so one plan may read it
 * again for each hub that it judges. Not for two concurrent readers.
 */
export function ticketsAhead(store: Store, operation: Waiter): TicketsAhead {
  const queues = new Map<string, { seen: Ticket[]; rest: AsyncGenerator<Ticket> }>();
  return async function* ahead(queueName) {
    const known = queues.get(queueName) ?? {
      seen: [],
      rest: queue(store, queueName, ticketKeyOf(queueName, operation).sk),
    };
    queues.set(queueName, known);
    yield* known.seen;
    // Without `for await`, because a loop that stops early would end the generator.
    for (let next = await known.rest.next(); !next.done; next = await known.rest.next()) {
      if (waiterIn(next.value) === operation.id) continue;
      known.seen.push(next.value);
      yield next.value;
    }
  };
}

/** Exceptions, in which earlier tickets do not hold the owner back. */
interface Spared {
  /** Allocations of this tenant do not hold it back. */
  tenant?: string;
  /** Whether tickets in this queue do not hold the owner back at this hub. */
  spared(hub: Candidate, queueName: string): boolean;
}

/** The hubs where an earlier ticket waits in one of the queues, each with that queue. */
export async function contended(
  ahead: TicketsAhead,
  queueNames: string[],
  hubs: Candidate[],
  { tenant, spared }: Spared = { spared: () => false },
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const queueName of queueNames) {
    let open = hubs.filter((each) => !found.has(each.hub.id) && !spared(each, queueName));
    if (open.length === 0) continue;
    for await (const ticket of ahead(queueName)) {
      if (ticket.racks !== undefined) continue;
      if (ticket.allocation !== undefined && ticket.where.tenant === tenant) continue;
      for (const each of open) if (couldServe(each, ticket)) found.set(each.hub.id, queueName);
      open = open.filter(({ hub }) => !found.has(hub.id));
      if (open.length === 0) break;
    }
  }
  return found;
}

/** The last position that is exact; operations behind it are not counted further. */
export const positionsCounted = 100;

/**
 * An operation's position in the queues, 1 for the next: the number of tickets before it that could use the same hubs,
 * and one. Counted up to `positionsCounted`; one more means any later position.
 */
export async function positionInQueues(
  ahead: TicketsAhead,
  queueNames: Iterable<string>,
  hubs: Candidate[],
): Promise<number> {
  const before = new Set<string>();
  for (const queueName of queueNames) {
    for await (const ticket of ahead(queueName)) {
      if (before.size === positionsCounted) break;
      if (hubs.some((each) => couldServe(each, ticket))) before.add(waiterIn(ticket));
    }
  }
  return before.size + 1;
}

/**
 * The number of operations in a queue that this hub could serve; as many as positions are counted, and one more for all
 * later ones. The read of the queue begins before the hub has arrived.
 */
export async function waitersAt(
  store: Store,
  queueName: string,
  hub: Promise<Candidate>,
): Promise<number> {
  const waiting = new Set<string>();
  for await (const ticket of queue(store, queueName)) {
    if (couldServe(await hub, ticket)) waiting.add(waiterIn(ticket));
    if (waiting.size > positionsCounted) break;
  }
  return waiting.size;
}
