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
      name: z.string(),
      namespace: z.string(),
      uid: z.string(),
      resourceVersion: z.string(),
      generation: z.number().optional(),
      deletionTimestamp: z.string().optional(),
      labels: z.record(z.string(), z.string()).optional(),
      annotations: z.record(z.string(), z.string()).optional(),
    }),
    spec: z.record(z.string(), z.unknown()).optional(),
    status: z.record(z.string(), z.unknown()).optional(),
  }),
});
export type News = z.infer<typeof newsSchema>;

/** A batch as a hub sends it. `hub` is fixed by the sender's identity, never taken from the body. */
export interface Report {
  hub: string;
  /** Says that the agent lives, also without news. */
  heartbeat: boolean;
  news: News[];
}
