import * as z from "zod";
import { timeSchema } from "../object/wire.ts";
import type { Operation } from "./operation.ts";

/** What an operation waits for: which step, on which system, and since when. */
export const waitSchema = z.object({
  step: z.string().describe("The step that waits."),
  system: z
    .string()
    .optional()
    .describe("The system that it waits for, such as `fabric`, `DNS` or `hub`."),
  instance: z
    .string()
    .optional()
    .describe("Which of them, where it does not answer: a hub's id. For administrators."),
  message: z.string().describe("What it waits for, in words."),
  since: timeSchema.optional().describe("Since when it waits."),
});
export type Wait = z.output<typeof waitSchema>;

/** What is tried again counts like what waits: it says why. */
export function waitsOf(operation: Operation): Wait[] {
  return Object.entries(operation.steps)
    .sort(([, a], [, b]) => a.position - b.position)
    .flatMap(([step, { state, blocked_by, message, waiting_since, start_time, ...entry }]) => {
      if ((state !== "WAITING" && state !== "RUNNING") || !message) return [];
      const { system = entry.system, instance } = blocked_by ?? {};
      const since = waiting_since ?? start_time;
      return [
        {
          step,
          ...(system === undefined ? {} : { system }),
          ...(instance === undefined ? {} : { instance }),
          message,
          ...(since === undefined ? {} : { since }),
        },
      ];
    });
}
