import * as z from "zod";
import type { Operation } from "../model/operation.ts";
import { timeSchema } from "./wire.ts";

/** What an operation waits for: which step, on which system, and since when. */
export const waitSchema = z.object({
  step: z.string(),
  /** Such as `fabric`, `DNS` or `hub`. */
  system: z.string().optional(),
  message: z.string(),
  since: timeSchema.optional(),
});
export type Wait = z.output<typeof waitSchema>;

/** What is tried again counts like what waits: it says why. */
export function waitsOf(operation: Operation): Wait[] {
  return Object.entries(operation.steps)
    .sort(([, a], [, b]) => a.position - b.position)
    .flatMap(([step, { state, system, message, waiting_since, start_time }]) => {
      if ((state !== "WAITING" && state !== "RUNNING") || !message) return [];
      const since = waiting_since ?? start_time;
      return [
        {
          step,
          ...(system === undefined ? {} : { system }),
          message,
          ...(since === undefined ? {} : { since }),
        },
      ];
    });
}
