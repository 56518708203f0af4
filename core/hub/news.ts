import * as z from "zod";

/**
 * What a hub reports of one of its objects. The hub agent sends the parts of an object that
 * Slipway reads and no more (no Secret ever); `core/status/observed.ts` makes sense of them.
 */
export const newsKinds = ["HostedCluster", "NodePool", "Agent"] as const;
export type NewsKind = (typeof newsKinds)[number];

export const newsSchema = z.object({
  kind: z.enum(newsKinds),
  /** The object is gone; `object` is how it was last. */
  deleted: z.boolean(),
  object: z.object({
    metadata: z.object({
      name: z.string().max(253),
      namespace: z.string().max(63),
      uid: z.string().max(128),
      resourceVersion: z.string().max(64),
      generation: z.number().optional(),
      deletionTimestamp: z.string().max(64).optional(),
      labels: z.record(z.string(), z.string()).optional(),
      annotations: z.record(z.string(), z.string()).optional(),
    }),
    spec: z.record(z.string(), z.unknown()).optional(),
    status: z.record(z.string(), z.unknown()).optional(),
  }),
});
export type News = z.infer<typeof newsSchema>;

/** News of one message; what is more comes with the next. */
export const newsLimit = 100;

/** A batch as a hub sends it, over HTTPS or as the detail of an event. */
export const messageSchema = z.strictObject({
  /** Says that the agent lives, also without news. */
  heartbeat: z.boolean(),
  news: z.array(newsSchema).max(newsLimit),
});
export type Message = z.infer<typeof messageSchema>;

/** Who says it is fixed by the sender's identity, never taken from the message. */
export interface Report extends Message {
  hub: string;
}
