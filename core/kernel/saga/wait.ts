import * as z from "zod";
import { timeSchema } from "../object/wire.ts";

/** A wait of an operation: the step, the system, and the start time. */
export const waitSchema = z.object({
  step: z.string().describe("The step that waits."),
  system: z
    .string()
    .optional()
    .describe("The system that it waits for, such as `fabric`, `DNS` or `hub`."),
  instance: z
    .string()
    .optional()
    .describe("The id of the hub that does not answer. For administrators."),
  message: z.string().describe("What it waits for, in words."),
  since: timeSchema.optional().describe("Since when it waits."),
  call: z
    .string()
    .optional()
    .describe(
      "The call without an answer, such as `PATCH hostedclusters/demo`. For administrators.",
    ),
  attempts: z
    .int()
    .optional()
    .describe("Number of attempts, if the system did not answer the last one. For administrators."),
  last_attempt_time: timeSchema
    .optional()
    .describe("Time of the last attempt without an answer. For administrators."),
  next_attempt_time: timeSchema
    .optional()
    .describe("Latest time of the next attempt. For administrators."),
});
export type Wait = z.output<typeof waitSchema>;

/** The members of a wait that name a system of the provider, for kinds whose status has waits. */
export const privateInWaits = [
  "status.waiting.*.instance",
  "status.waiting.*.call",
  "status.waiting.*.attempts",
  "status.waiting.*.last_attempt_time",
  "status.waiting.*.next_attempt_time",
] as const;

/** A step that exceeds its usual time. */
export const stalledSchema = z.object({
  step: z.string().describe("The late step."),
  since: timeSchema.describe("Since when it waits."),
  usual_end: timeSchema.describe(
    "When it should have ended: three times its usual time, at least ten minutes.",
  ),
  beyond_seconds: z.int().optional().describe("How late it is."),
  message: z.string().describe("What blocks it."),
});

/** The status members of an object's operation, the same for each kind that has operations. */
export const workSchema = {
  operation: z.string().optional().describe("Id of the operation that works on it."),
  waiting: z.array(waitSchema).optional().describe("What this operation waits for."),
  stalled: stalledSchema.optional().describe("The step by which the operation is late."),
};

/**
 * A wait in words for the provider: which system did not answer which call, the number of tries, and the time of the
 * next. Pure.
 */
export function waitInWords(wait: Wait, now: number): string {
  const { system, instance = system, message, call, attempts } = wait;
  if (attempts === undefined) return message;
  const ago = (time = ""): string => lengthOf(Math.max(0, now - Date.parse(time)));
  const again = Date.parse(wait.next_attempt_time ?? "") - now;
  const tries = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}, last ${ago(wait.last_attempt_time)} ago`;
  const next = again > 0 ? `; next attempt within ${lengthOf(again)}` : "";
  return `${call === undefined ? message : `${instance} did not answer ${call}`} (${tries})${next}`;
}

const lengthOf = (ms: number): string => {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
};
