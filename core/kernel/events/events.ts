import * as z from "zod";

/** For whom a portal's service account acts. */
export const behalfSchema = z.object({
  tenant: z.string().describe("Name of the tenant."),
  user: z.string().optional().describe("The tenant's user, if the portal named one."),
});

/**
 * What integrators receive: CloudEvents 1.0, one type a kind and change. At least once and in no
 * order; `sequence` counts the changes of one object without gaps. Changes to these schemas are
 * additive.
 */
export const eventSchema = z.object({
  specversion: z.literal("1.0").describe("The version of CloudEvents."),
  id: z.string().describe("Unique; one that comes again has the same."),
  source: z.literal("slipway").describe("The source of the event."),
  type: z
    .string()
    .regex(/^slipway\.[a-z_]+\.[a-z_]+\.v1$/)
    .describe("What happened to which kind, such as `slipway.cluster.ready.v1`."),
  subject: z.string().describe("The object's path, such as `clusters/0199…`."),
  time: z.iso.datetime().describe("When it happened."),
  tenant: z.string().describe("Name of the tenant that the object belongs to."),
  sequence: z.int().positive().describe("Counts the events of one object, without gaps."),
  datacontenttype: z.literal("application/json").describe("What `data` is."),
  data: z
    .object({
      object: z.record(z.string(), z.json()).describe("The object as its tenant sees it."),
      changed: z.array(z.string()).describe("Paths that changed since the event before."),
      actor: z
        .object({
          user: z.string().describe("The user in the token."),
          on_behalf_of: behalfSchema.optional().describe("For whom a portal asked."),
        })
        .optional()
        .describe("Whose request did it; absent for what Slipway does by itself."),
    })
    .describe("The object, and what became of it."),
});
export type Event = z.infer<typeof eventSchema>;

/** The bus that integrators listen to. */
export interface Bus {
  /** Resolves when every event is accepted; throws Unavailable when one was not. */
  publish(events: Event[]): Promise<void>;
}

declare module "../deps.ts" {
  interface Deps {
    bus: Bus;
  }
}
