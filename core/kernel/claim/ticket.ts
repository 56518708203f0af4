import { ticketKey } from "../object/keys.ts";
import type { ObjectOf } from "../object/object-of.ts";
import type { Write } from "../store/store.ts";

/**
 * The key of an operation's ticket in a queue. Tickets lie in the order in which operations were
 * accepted.
 */
export const ticketKeyOf = (queueName: string, operation: ObjectOf["operation"]) =>
  ticketKey(queueName, operation.metadata.creation_timestamp, operation.id);

/** Drops an operation's ticket in a queue; no effect if there is none. */
export const dropTicket = (queueName: string, operation: ObjectOf["operation"]): Write => ({
  delete: ticketKeyOf(queueName, operation),
});
