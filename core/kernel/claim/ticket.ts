import { ticketKey } from "../object/keys.ts";
import type { ObjectOf } from "../object/object-of.ts";
import type { Item, Store, Write } from "../store/store.ts";

/** The members that order tickets: of an operation, or of anything else that waits. */
export type Waiter = {
  id: string;
  metadata: Pick<ObjectOf["operation"]["metadata"], "creation_timestamp">;
};

/** The key of an operation's ticket in a queue. Tickets sort in the order in which operations were accepted. */
export const ticketKeyOf = (queueName: string, operation: Waiter) =>
  ticketKey(queueName, operation.metadata.creation_timestamp, operation.id);

/** Drops an operation's ticket in a queue; no effect if there is none. */
export const dropTicket = (queueName: string, operation: Waiter): Write => ({
  delete: ticketKeyOf(queueName, operation),
});

/** The tickets that an operation has in these queues, by queue. Strongly consistent. */
export async function ticketsIn(
  store: Store,
  queueNames: Iterable<string>,
  operation: Waiter,
): Promise<Map<string, Item>> {
  const names = [...queueNames];
  const items = await store.getMany(names.map((name) => ticketKeyOf(name, operation)));
  return new Map(items.flatMap((item, n) => (item ? [[names[n] ?? "", item] as const] : [])));
}

/**
 * Drops the tickets that an operation has in these queues. Most operations never wait, and reading a missing ticket
 * costs a tenth of deleting it, so the tickets are read first. Only for callers after whose read nobody takes a ticket
 * any more.
 */
export const dropTickets = async (
  store: Store,
  queueNames: Iterable<string>,
  operation: Waiter,
): Promise<Write[]> =>
  [...(await ticketsIn(store, queueNames, operation)).keys()].map((name) =>
    dropTicket(name, operation),
  );
