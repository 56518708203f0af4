import * as z from "zod";
import { AppError, type ErrorOptions } from "../../error.ts";

/** The customer for whom a portal's service account acts. */
export const behalfSchema = z.object({
  tenant: z.string().describe("Name of the tenant."),
  user: z.string().optional().describe("The tenant's user, if the portal named one."),
});

/**
 * Events for integrators: CloudEvents 1.0, with one type for each kind and change. Each event arrives at least once, in
 * any order; `sequence` counts the changes of one object without gaps. Changes to these schemas are additive.
 */
export const eventSchema = z.object({
  specversion: z.literal("1.0").describe("The version of CloudEvents."),
  id: z
    .string()
    .describe(
      "Unique over all kinds: kind, object and `sequence`. A repeated event has the same id.",
    ),
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
          on_behalf_of: behalfSchema
            .optional()
            .describe("The customer for whom a portal made the request."),
        })
        .optional()
        .describe("The user whose request made the change; absent for Slipway's own changes."),
    })
    .describe("The object, and what changed in it."),
});
export type Event = z.infer<typeof eventSchema>;

/**
 * For an event that is too large for its destination: only the object's id, with which the reader can get the
 * object.
 */
export function withIdAlone(event: Event): Event {
  const { id = null } = event.data.object;
  return { ...event, data: { ...event.data, object: { id }, changed: [] } };
}

/** The bus that integrators listen to. */
export interface Bus {
  /** Resolves when the bus has accepted every event; throws NotAccepted otherwise. */
  publish(events: Event[]): Promise<void>;
}

/** An Unavailable error with the events that the bus did not accept; `detail` says why. */
export class NotAccepted extends AppError {
  readonly events: ReadonlySet<Event>;
  constructor(events: readonly Event[], why: Pick<ErrorOptions, "detail" | "cause"> = {}) {
    super("Unavailable", "the bus does not take events", why);
    this.events = new Set(events);
  }
}
