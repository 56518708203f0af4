import * as z from "zod";
import { timeSchema } from "../../kernel/object/wire.ts";
import { healthStates } from "./health.ts";

/** The health of hosts on the wire. */

const probe = {
  id: z.string().describe("What was looked at."),
  target: z.string().optional().describe("Where it was looked, such as a part of the host."),
};

const alertSchema = z.object({
  ...probe,
  since: timeSchema.describe("Since when it is reported."),
  message: z.string().describe("What was expected and what was seen."),
  tenant_message: z.string().optional().describe("The message for the tenant that has the host."),
  classifications: z.array(z.string()).describe("What it means."),
});

const source = { source: z.string().describe("Who reports.") };

export const healthSchema = z.object({
  state: z.enum(healthStates).describe("Whether there is an alert."),
  since: timeSchema.describe("When its health became so."),
  prevents_allocation: z.boolean().describe("Whether an alert keeps the host out of the pool."),
  suppresses_alarms: z.boolean().describe("Whether outside alarms about the host may be dropped."),
  alerts: z
    .array(alertSchema.extend(source))
    .describe("The alerts of all sources, as administrators have them read."),
  sources: z
    .array(
      z.object({
        ...source,
        observed_at: timeSchema.describe("When the report that counts was taken."),
        interval_seconds: z.int().optional().describe("How often it promises to report."),
        late_since: timeSchema.optional().describe("Since when it is known to be late."),
        successes: z.array(z.object(probe)).describe("Probes that found nothing wrong."),
        alerts: z.array(alertSchema).describe("Probes that found something wrong."),
      }),
    )
    .describe("The last report of each source."),
  overrides: z
    .array(
      z.object({
        ...source,
        mode: z.enum(["merge", "replace"]).describe("Beside its alerts, or instead of them."),
        since: timeSchema.describe("Since when."),
        by: z.string().describe("Who has decided it."),
        alerts: z.array(alertSchema).describe("The alerts that are read."),
      }),
    )
    .describe("What administrators have read otherwise."),
});
