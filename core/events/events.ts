import * as z from "zod";

/** For whom a portal's service account acts. */
export const behalfSchema = z.object({ tenant: z.string(), user: z.string().optional() });

/**
 * What integrators receive: CloudEvents 1.0, one type a kind and change. At least once and in no
 * order; `sequence` counts the changes of one object without gaps. Changes to these schemas are
 * additive.
 */
export const eventSchema = z.object({
  specversion: z.literal("1.0"),
  id: z.string(),
  source: z.literal("slipway"),
  /** Such as `slipway.cluster.ready.v1`. */
  type: z.string().regex(/^slipway\.[a-z_]+\.[a-z_]+\.v1$/),
  /** The object's path, such as `clusters/0199…`. */
  subject: z.string(),
  time: z.iso.datetime(),
  tenant: z.string(),
  sequence: z.int().positive(),
  datacontenttype: z.literal("application/json"),
  data: z.object({
    /** The object as its tenant sees it. */
    object: z.record(z.string(), z.json()),
    /** Paths that changed. */
    changed: z.array(z.string()),
    /** Whose request did it, and for whom a portal asked; absent for what Slipway does by itself. */
    actor: z.object({ user: z.string(), on_behalf_of: behalfSchema.optional() }).optional(),
  }),
});
export type Event = z.infer<typeof eventSchema>;

/** The bus that integrators listen to. */
export interface Bus {
  /** Resolves when every event is accepted; throws Unavailable when one was not. */
  publish(events: Event[]): Promise<void>;
}
