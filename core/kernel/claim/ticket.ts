import { ticketKey } from "../object/keys.ts";
import type { ObjectOf } from "../object/object-of.ts";
import type { Write } from "../store/store.ts";

/** Where the ticket of an operation lies in a queue: in the order in which operations were accepted. */
export const ticketKeyOf = (queueName: string, operation: ObjectOf["operation"]) =>
  ticketKey(queueName, operation.metadata.creation_timestamp, operation.id);

/** Gives up a place in a queue; no effect where there is none. */
export const dropTicket = (queueName: string, operation: ObjectOf["operation"]): Write => ({
  delete: ticketKeyOf(queueName, operation),
});
