import { asOperationId } from "../id.ts";
import { ticketKeyOf, type Waiter } from "../kernel/claim/ticket.ts";
import type { Deps } from "../kernel/deps.ts";
import { allocationHostsKey } from "../kernel/object/hub-keys.ts";
import { ticketPartition } from "../kernel/object/keys.ts";
import type { Operation } from "../kernel/saga/operation.ts";
import { isWritten } from "../kernel/store/optimistically.ts";
import { pagesIn } from "../kernel/store/pages.ts";
import { exists, type Item, type Put, type Store } from "../kernel/store/store.ts";
import {
  type Candidate,
  type Constraints,
  couldServe,
  mayMeet,
  mismatch,
  type Needs,
} from "./choose.ts";
import type { Racks } from "./host.ts";
import { candidatesOf } from "./hubs.ts";
import { keptOf } from "./kept.ts";
import { noteRoom } from "./note-room.ts";

/**
 * Queues of operations that wait, one for each thing that can be short, in order of arrival. An
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
 * A newcomer may not claim on a hub what an earlier ticket waits for there. A ticket that a hub could
 * never serve blocks nobody at that hub; it keeps its place for the time when hosts are added. A ticket
 * that asks for racks blocks nobody either: how many hosts each rack has, nothing counts. The
 * queue for any hub blocks nobody. A queue of numbers is strict: only its first ticket is served.
 *
 * An allocation that lacks hosts has a ticket too, from the time of its creation, and no operation: who wakes it
 * touches its counters, which has the relay fill it (`fill.ts`). Its tenant does not wait behind it.
 */

export const slotQueue = "slot";
export const hostQueue = (hostType: string): string => `host:${hostType}`;
const hostPrefix = hostQueue("");
export const hubQueue = "hub";
export const numbersQueue = (pool: string): string => `numbers:${pool}`;
export const isOfNumbers = (queueName: string): boolean => queueName.startsWith("numbers:");

export type Ticket = Wish & (OfOperation | OfAllocation);

interface OfOperation {
  operation: string;
  step: string;
  allocation?: undefined;
}

interface OfAllocation {
  allocation: string;
}

interface Wish {
  where: Constraints;
  /** The ticket blocks nobody at a hub that has fewer hosts than this in all. */
  needs: Needs;
  /** It asks for hosts that stand in racks as it wants them; such a ticket blocks nobody. */
  racks?: Racks;
  /** The hub whose hot pools are to come up with what it lacks, and how many hosts that are, by type. */
  raises?: { hub: string; hosts: Needs };
}

export function takeTicket(queueName: string, waiter: Waiter, ticket: Ticket): Put {
  const stored = JSON.parse(JSON.stringify(ticket));
  return { put: { ...ticketKeyOf(queueName, waiter), ticket: stored } };
}

/** The operation or the allocation that waits. */
export const waiterIn = (ticket: Ticket): string =>
  ticket.allocation === undefined ? ticket.operation : ticket.allocation;

async function wake(deps: Pick<Deps, "store" | "rechecks">, ticket: Ticket): Promise<void> {
  if (ticket.allocation === undefined)
    await deps.rechecks.request(asOperationId(ticket.operation), ticket.step);
  else
    await isWritten(deps.store, [
      { update: allocationHostsKey(ticket.allocation), add: { woken: 1 }, if: exists },
    ]);
}

/** The ticket in an item. Only this module writes such items, so the cast is safe. */
export const ticketIn = (item: Item): Ticket => item.ticket as unknown as Ticket;

/** The tickets of a queue in order of arrival, up to a place in it. Strongly consistent. */
async function* queue(store: Store, queueName: string, to?: string): AsyncGenerator<Ticket> {
  const range = to === undefined ? {} : { range: { to } };
  const query = { pk: ticketPartition(queueName), limit: 50, ...range };
  for await (const items of pagesIn(store, query)) yield* items.map(ticketIn);
}

/**
 * An operation's place in a queue of numbers, 1 for the next; counted like `placeInQueues`. `stands`:
 * whether its ticket was seen there, which is not looked for further back.
 */
export async function placeInNumbers(
  store: Store,
  queueName: string,
  operation: Operation,
): Promise<{ place: number; stands: boolean }> {
  let [place, stands] = [1, false];
  for await (const ticket of queue(store, queueName, ticketKeyOf(queueName, operation).sk)) {
    if (place > placesCounted) break;
    if (waiterIn(ticket) === operation.id) stands = true;
    else place += 1;
  }
  return { place, stands };
}

/** The operations in a queue, the first of them first; as many as places are counted, and one more for all behind. */
export async function standingIn(store: Store, queueName: string): Promise<Set<string>> {
  const waiting = new Set<string>();
  for await (const ticket of queue(store, queueName)) {
    waiting.add(waiterIn(ticket));
    if (waiting.size > placesCounted) break;
  }
  return waiting;
}

/** Wakes the first in a queue of numbers. */
export async function wakeFirst(deps: Deps, queueName: string): Promise<void> {
  for await (const ticket of queue(deps.store, queueName)) {
    await wake(deps, ticket);
    return;
  }
}

/** Reads the tickets before an operation's own in a queue, in order of arrival. */
export type TicketsAhead = (queueName: string) => AsyncGenerator<Ticket>;

/**
 * The tickets before an operation's own. Each queue is read once, and only as far as somebody asks, so
 * one plan may ask again for each hub that it judges. Not for two readers at a time.
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
    // By hand, because a loop that its reader leaves would end the generator.
    for (let next = await known.rest.next(); !next.done; next = await known.rest.next()) {
      if (waiterIn(next.value) === operation.id) continue;
      known.seen.push(next.value);
      yield next.value;
    }
  };
}

/** Whom tickets before it do not hold back. */
interface Spared {
  /** Allocations of this tenant hold nobody back. */
  tenant?: string;
  /** Nobody in this queue does at this hub. */
  spared(hub: Candidate, queueName: string): boolean;
}

/** The hubs where an operation before this one stands in one of the queues, each with that queue. */
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

/** An operation further back is not told its exact place. */
export const placesCounted = 100;

/**
 * An operation's place in the queues, 1 for the next: how many tickets before it could use the same
 * hubs. Counted up to `placesCounted`; one more stands for every place behind.
 */
export async function placeInQueues(
  ahead: TicketsAhead,
  queueNames: Iterable<string>,
  hubs: Candidate[],
): Promise<number> {
  const before = new Set<string>();
  for (const queueName of queueNames) {
    for await (const ticket of ahead(queueName)) {
      if (before.size === placesCounted) break;
      if (hubs.some((each) => couldServe(each, ticket))) before.add(waiterIn(ticket));
    }
  }
  return before.size + 1;
}

/**
 * How many operations that could use a hub are woken at once; each that is served drops its ticket,
 * which wakes the next.
 */
const wokenPerHub = (queueName: string): number => (queueName === hubQueue ? 50 : 3);

/**
 * Whether a hub concerns a ticket. Tickets for any hub are woken by every hub that matches; the
 * operation then learns what it lacks.
 */
const concerns = (
  queueName: string,
  hub: Candidate,
  ticket: Pick<Ticket, "where" | "needs">,
): boolean =>
  queueName === hubQueue ? mismatch(hub.hub, ticket.where) === undefined : couldServe(hub, ticket);

/** Wakes the first in these queues that could use the hub, after something was freed on the hub. */
export async function wakeQueues(
  deps: Deps,
  queueNames: Iterable<string>,
  id: string,
): Promise<void> {
  // Who is woken finds the hub by its entries.
  await noteRoom(deps, id);
  const [hub] = await candidatesOf(deps, [id]);
  if (!hub) return;
  const woken = new Set<string>();
  for (const queueName of new Set(queueNames)) {
    const type = queueName.startsWith(hostPrefix) ? queueName.slice(hostPrefix.length) : undefined;
    // For whom hosts are kept there is served wherever it stands.
    const isKept = type !== undefined && keptOf(hub.kept, type) > 0;
    // Those that ask for racks may be woken in vain, which must not keep the others asleep.
    const left = { racks: wokenPerHub(queueName), any: wokenPerHub(queueName) };
    let read = 0;
    for await (const ticket of queue(deps.store, queueName)) {
      if (left.any === 0 && (!isKept || read === ticketsRead)) break;
      read += 1;
      if (!concerns(queueName, hub, ticket)) continue;
      if (!isKept || keptOf(hub.kept, type, ticket.where.tenant) === 0) {
        const turn = ticket.racks === undefined ? "any" : "racks";
        if (left[turn] === 0) continue;
        left[turn] -= 1;
      }
      const waiter = waiterIn(ticket);
      if (woken.has(waiter)) continue;
      woken.add(waiter);
      await wake(deps, ticket);
    }
  }
}

/**
 * How many operations are woken when a ticket was dropped: of those that want the same, and of all.
 * Tickets further back than `ticketsRead` are not woken by it.
 */
const wokenAlike = 3;
const wokenAtOnce = 50;
const ticketsRead = 500;

/**
 * Wakes those in a queue that could use the same hubs as an operation that has left it. The first on
 * each hub is the first of those that want the same, so no hub has to be read.
 */
export async function wakeBehind(deps: Deps, queueName: string, where: Constraints): Promise<void> {
  if (where.hub !== undefined) return wakeQueues(deps, [queueName], where.hub);
  const alike = new Map<string, number>();
  let [read, woken] = [0, 0];
  for await (const ticket of queue(deps.store, queueName)) {
    if (read === ticketsRead || woken === wokenAtOnce) break;
    read += 1;
    if (!mayMeet(ticket.where, where)) continue;
    const wanted = JSON.stringify([ticket.where, ticket.needs]);
    const before = alike.get(wanted) ?? 0;
    if (before === wokenAlike) continue;
    alike.set(wanted, before + 1);
    woken += 1;
    await wake(deps, ticket);
  }
}

/** How many operations that need more hosts than a hub has are woken when that number changes. */
const wokenByCount = 50;

/**
 * Called when a hub has more hosts of a type, or fewer: wakes the operations that need just as many as
 * it has now, or more, so that they update what they wait for.
 */
export async function wakeShort(deps: Deps, hub: Candidate, hostType: string): Promise<void> {
  let left = wokenByCount;
  for await (const ticket of queue(deps.store, hostQueue(hostType))) {
    if (left === 0) break;
    if (mismatch(hub.hub, ticket.where) !== undefined) continue;
    if ((ticket.needs[hostType] ?? 0) < (hub.hosts[hostType] ?? 0)) continue;
    left -= 1;
    await wake(deps, ticket);
  }
}
