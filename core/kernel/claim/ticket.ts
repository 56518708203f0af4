import { ticketKey } from "../object/keys.ts";
import type { ObjectOf } from "../object/object-of.ts";
import type { Item, Store, Write } from "../store/store.ts";

/** The members by which tickets are ordered: of an operation, or of any other holder of a ticket. */
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

/** The tickets of an operation in these queues, by queue. Strongly consistent. */
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
 * Drops the tickets of an operation in these queues. They are read first: most operations have none, and reading a
 * missing ticket costs a tenth of deleting it. Only for callers after which the operation can get no further ticket.
 */
export const dropTickets = async (
  store: Store,
  queueNames: Iterable<string>,
  operation: Waiter,
): Promise<Write[]> =>
  [...(await ticketsIn(store, queueNames, operation)).keys()].map((name) =>
    dropTicket(name, operation),
  );
