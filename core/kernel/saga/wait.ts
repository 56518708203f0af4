import * as z from "zod";
import { timeSchema } from "../object/wire.ts";

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
