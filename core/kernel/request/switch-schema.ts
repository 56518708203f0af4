import * as z from "zod";
import { timeSchema } from "../object/wire.ts";

/** The wire form of a switch of the whole deployment. */
export const switchSchema = z.object({
  paused: z.boolean().describe("Whether it is paused."),
  at: timeSchema.optional().describe("When it was last paused or resumed."),
  by: z.string().optional().describe("The user who paused or resumed it."),
});
