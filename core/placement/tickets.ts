import { asOperationId } from "../id.ts";
import { ticketKeyOf } from "../kernel/claim/ticket.ts";
import type { Deps } from "../kernel/deps.ts";
import { ticketPartition } from "../kernel/object/keys.ts";
import type { Operation } from "../kernel/saga/operation.ts";
import { pagesIn } from "../kernel/store/pages.ts";
import type { Item, Put, Store } from "../kernel/store/store.ts";
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
 */

export const slotQueue = "slot";
export const hostQueue = (hostType: string): string => `host:${hostType}`;
export const hubQueue = "hub";
export const numbersQueue = (pool: string): string => `numbers:${pool}`;
export const isOfNumbers = (queueName: string): boolean => queueName.startsWith("numbers:");

export interface Ticket {
  operation: string;
  step: string;
  where: Constraints;
  /** The ticket blocks nobody at a hub that has fewer hosts than this in all. */
  needs: Needs;
  /** It asks for hosts that stand in racks as it wants them; such a ticket blocks nobody. */
  racks?: Racks;
  /** The hub whose hot pools are to come up with what it lacks, and how many hosts that are, by type. */
  raises?: { hub: string; hosts: Needs };
}

export function takeTicket(queueName: string, operation: Operation, ticket: Ticket): Put {
  const stored = JSON.parse(JSON.stringify(ticket));
  return { put: { ...ticketKeyOf(queueName, operation), ticket: stored } };
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
    if (ticket.operation === operation.id) stands = true;
    else place += 1;
  }
  return { place, stands };
}

/** The operations in a queue, the first of them first; as many as places are counted, and one more for all behind. */
export async function standingIn(store: Store, queueName: string): Promise<Set<string>> {
  const waiting = new Set<string>();
  for await (const { operation } of queue(store, queueName)) {
    waiting.add(operation);
    if (waiting.size > placesCounted) break;
  }
  return waiting;
}

/** Wakes the first in a queue of numbers. */
export async function wakeFirst(deps: Deps, queueName: string): Promise<void> {
  for await (const { operation, step } of queue(deps.store, queueName)) {
    await deps.rechecks.request(asOperationId(operation), step);
    return;
  }
}

/** Reads the tickets before an operation's own in a queue, in order of arrival. */
export type TicketsAhead = (queueName: string) => AsyncGenerator<Ticket>;

/**
 * The tickets before an operation's own. Each queue is read once, and only as far as somebody asks, so
 * one plan may ask again for each hub that it judges. Not for two readers at a time.
 */
export function ticketsAhead(store: Store, operation: Operation): TicketsAhead {
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
      if (next.value.operation === operation.id) continue;
      known.seen.push(next.value);
      yield next.value;
    }
  };
}

/** The hubs where an operation before this one stands in one of the queues, each with that queue. */
export async function contended(
  ahead: TicketsAhead,
  queueNames: string[],
  hubs: Candidate[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const queueName of queueNames) {
    let open = hubs.filter(({ hub }) => !found.has(hub.id));
    if (open.length === 0) break;
    for await (const ticket of ahead(queueName)) {
      if (ticket.racks !== undefined) continue;
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
      if (hubs.some((each) => couldServe(each, ticket))) before.add(ticket.operation);
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
    // Those that ask for racks may be woken in vain, which must not keep the others asleep.
    const left = { racks: wokenPerHub(queueName), any: wokenPerHub(queueName) };
    for await (const { operation, step, ...ticket } of queue(deps.store, queueName)) {
      if (left.any === 0) break;
      const turn = ticket.racks === undefined ? "any" : "racks";
      if (left[turn] === 0 || !concerns(queueName, hub, ticket)) continue;
      left[turn] -= 1;
      if (woken.has(operation)) continue;
      woken.add(operation);
      await deps.rechecks.request(asOperationId(operation), step);
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
    await deps.rechecks.request(asOperationId(ticket.operation), ticket.step);
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
  for await (const { operation, step, where, needs } of queue(deps.store, hostQueue(hostType))) {
    if (left === 0) break;
    if (mismatch(hub.hub, where) !== undefined) continue;
    if ((needs[hostType] ?? 0) < (hub.hosts[hostType] ?? 0)) continue;
    left -= 1;
    await deps.rechecks.request(asOperationId(operation), step);
  }
}
