import type { Deps } from "../deps.ts";
import { asOperationId } from "../id.ts";
import type { Hub } from "../model/hub.ts";
import type { Operation } from "../model/operation.ts";
import { ticketKey, ticketPartition } from "../store/keys.ts";
import type { Store, Write } from "../store/store.ts";
import { mismatch, type Wish } from "./choose.ts";

/**
 * The queue of orders that wait for a class of scarce thing, in order of arrival. A waiting order
 * holds nothing but its tickets. A newcomer may not take from a hub what an earlier ticket waits
 * for there.
 */

/** Classes of scarce things. */
export const slotClass = "slot";
export const hostClass = (hostType: string): string => `host:${hostType}`;

export interface Ticket {
  operation: string;
  step: string;
  wish: Wish;
}

const keyOf = (scarce: string, operation: Operation) =>
  ticketKey(scarce, operation.metadata.creation_timestamp, operation.id);

export const takeTicket = (scarce: string, operation: Operation, ticket: Ticket): Write => ({
  put: { ...keyOf(scarce, operation), ticket: JSON.parse(JSON.stringify(ticket)) },
});

export const dropTicket = (scarce: string, operation: Operation): Write => ({
  delete: keyOf(scarce, operation),
});

/** Tickets looked at in one queue; who waits behind so many waits anyway. */
const horizon = 50;

/** The tickets in a class, first come first. Strongly consistent. */
async function queue(store: Store, scarce: string, limit = horizon): Promise<Ticket[]> {
  const page = await store.query({ pk: ticketPartition(scarce), limit });
  return page.items.map((item) => item.ticket as unknown as Ticket);
}

/** The tickets before this operation's own place in the queues, by class. */
export async function ahead(
  store: Store,
  classes: string[],
  operation: Operation,
): Promise<Map<string, Ticket[]>> {
  const entries = await Promise.all(
    classes.map(async (scarce): Promise<[string, Ticket[]]> => {
      const { pk, sk } = keyOf(scarce, operation);
      const page = await store.query({ pk, range: { to: sk }, limit: horizon });
      const tickets = page.items.map((item) => item.ticket as unknown as Ticket);
      return [scarce, tickets.filter((ticket) => ticket.operation !== operation.id)];
    }),
  );
  return new Map(entries);
}

/** The class on this hub that somebody before us waits for. */
export function contended(hub: Hub, tickets: Map<string, Ticket[]>): string | undefined {
  for (const [scarce, waiting] of tickets) {
    if (waiting.some((ticket) => mismatch(hub, ticket.wish) === undefined)) return scarce;
  }
  return undefined;
}

/** How many at the head of a queue are told when something comes free; each that is served tells the next. */
const told = 3;

/** Something of these classes came free, or a place in their queues: the first in line look again. */
export async function wakeQueues(deps: Deps, classes: Iterable<string>): Promise<void> {
  const woken = new Set<string>();
  for (const scarce of new Set(classes)) {
    for (const { operation, step } of await queue(deps.store, scarce, told)) {
      if (woken.has(operation)) continue;
      woken.add(operation);
      await deps.looks.look(asOperationId(operation), step);
    }
  }
}
