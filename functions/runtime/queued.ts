import * as z from "zod";

const messageSchema = z.object({ messageId: z.string(), body: z.string() });
/** A message of a queue. */
export type Message = z.infer<typeof messageSchema>;
const queued = z.object({ Records: z.array(messageSchema) });

/** The messages of a call by a queue; undefined for another call. */
export const messagesIn = (event: unknown): Message[] | undefined =>
  queued.safeParse(event).data?.Records;
