import * as z from "zod";

const messageSchema = z.object({ messageId: z.string(), body: z.string() });
/** A message of a queue. */
export type QueuedMessage = z.infer<typeof messageSchema>;
const queued = z.object({ Records: z.array(messageSchema) });

/** The messages of a queue's call; undefined for any other call. */
export const messagesIn = (event: unknown): QueuedMessage[] | undefined =>
  queued.safeParse(event).data?.Records;
