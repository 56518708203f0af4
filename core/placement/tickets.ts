import { asOperationId } from "../id.ts";
import { ticketKeyOf } from "../kernel/claim/ticket.ts";
import type { Deps } from "../kernel/deps.ts";
import { ticketPartition } from "../kernel/object/keys.ts";
import type { Records } from "../kernel/object/records.ts";
import type { Operation } from "../kernel/saga/operation.ts";
import { pagesIn } from "../kernel/store/pages.ts";
import type { Item, Store, Write } from "../kernel/store/store.ts";
import { type Candidate, type Constraints, couldServe, mismatch, type Needs } from "./choose.ts";
import { candidates, candidatesOf } from "./hubs.ts";

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
 * never serve blocks nobody at that hub; it keeps its place for the time when hosts are added. The
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
}

export function takeTicket(queueName: string, operation: Operation, ticket: Ticket): Write {
  const { where, ...rest } = ticket;
  const stored = JSON.parse(JSON.stringify({ ...rest, wish: where }));
  return { put: { ...ticketKeyOf(queueName, operation), ticket: stored } };
}

/** The ticket in an item. Only this module writes such items, so the cast is safe. */
export function ticketIn(item: Item): Ticket {
  const { wish, ...rest } = item.ticket as unknown as Omit<Ticket, "where"> & { wish: Constraints };
  return { ...rest, where: wish };
}

/** The tickets of a queue in order of arrival, up to a place in it. Strongly consistent. */
async function* queue(store: Store, queueName: string, to?: string): AsyncGenerator<Ticket> {
  const range = to === undefined ? {} : { range: { to } };
  const query = { pk: ticketPartition(queueName), limit: 50, ...range };
  for await (const items of pagesIn(store, query)) yield* items.map(ticketIn);
}

/** An operation's place in a queue of numbers, 1 for the next; counted like `placeInQueues`. */
export async function placeInNumbers(
  store: Store,
  queueName: string,
  operation: Operation,
): Promise<number> {
  let place = 1;
  for await (const ticket of queue(store, queueName, ticketKeyOf(queueName, operation).sk)) {
    if (place > placesCounted) break;
    if (ticket.operation !== operation.id) place += 1;
  }
  return place;
}

/** The number of tickets in a queue, counted like places. */
export async function queueLength(store: Store, queueName: string): Promise<number> {
  const waiting = new Set<string>();
  for await (const { operation } of queue(store, queueName)) {
    waiting.add(operation);
    if (waiting.size > placesCounted) break;
  }
  return waiting.size;
}

/** Wakes the first in a queue of numbers. */
export async function wakeFirst(deps: Deps, queueName: string): Promise<void> {
  for await (const { operation, step } of queue(deps.store, queueName)) {
    await deps.rechecks.request(asOperationId(operation), step);
    return;
  }
}

/** The hubs where an operation before this one stands in one of the queues, each with that queue. */
export async function contended(
  store: Store,
  queueNames: string[],
  operation: Operation,
  hubs: Candidate[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const queueName of queueNames) {
    let open = hubs.filter(({ hub }) => !found.has(hub.id));
    for await (const ticket of queue(store, queueName, ticketKeyOf(queueName, operation).sk)) {
      if (open.length === 0) break;
      if (ticket.operation === operation.id) continue;
      for (const each of open) if (couldServe(each, ticket)) found.set(each.hub.id, queueName);
      open = open.filter(({ hub }) => !found.has(hub.id));
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
  store: Store,
  queueNames: Iterable<string>,
  operation: Operation,
  hubs: Candidate[],
): Promise<number> {
  const ahead = new Set<string>();
  for (const queueName of queueNames) {
    for await (const ticket of queue(store, queueName, ticketKeyOf(queueName, operation).sk)) {
      if (ahead.size === placesCounted) break;
      if (ticket.operation !== operation.id && hubs.some((each) => couldServe(each, ticket)))
        ahead.add(ticket.operation);
    }
  }
  return ahead.size + 1;
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
const concerns = (queueName: string, hub: Candidate, ticket: Ticket): boolean =>
  queueName === hubQueue ? mismatch(hub.hub, ticket.where) === undefined : couldServe(hub, ticket);

/**
 * Wakes the first in these queues that could use the hub, after something was freed on the hub, or
 * after a ticket was dropped by an operation that could use the same hubs.
 */
export async function wakeQueues(
  deps: Deps,
  queueNames: Iterable<string>,
  at: { hub: string } | { where: Constraints },
): Promise<void> {
  const hubs = await hubsAt(deps, at);
  const woken = new Set<string>();
  for (const queueName of new Set(queueNames)) {
    const left = new Map(hubs.map((hub) => [hub, wokenPerHub(queueName)]));
    for await (const ticket of queue(deps.store, queueName)) {
      if (left.size === 0) break;
      const able = [...left].filter(([hub]) => concerns(queueName, hub, ticket));
      for (const [hub, n] of able) {
        if (n > 1) left.set(hub, n - 1);
        else left.delete(hub);
      }
      if (able.length === 0 || woken.has(ticket.operation)) continue;
      woken.add(ticket.operation);
      await deps.rechecks.request(asOperationId(ticket.operation), ticket.step);
    }
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

async function hubsAt(
  records: Records,
  at: { hub: string } | { where: Constraints },
): Promise<Candidate[]> {
  if ("hub" in at) return candidatesOf(records, [at.hub]);
  return (await candidates(records)).filter(({ hub }) => mismatch(hub, at.where) === undefined);
}
