import * as z from "zod";
import { timeSchema } from "../../kernel/object/wire.ts";
import { healthStates } from "./health.ts";

/** The health of hosts on the wire. */

const probe = {
  id: z.string().describe("The check."),
  target: z.string().optional().describe("The checked part of the host."),
};

const alertSchema = z.object({
  ...probe,
  since: timeSchema.describe("Time of the first report."),
  message: z.string().describe("What was expected and what was seen."),
  tenant_message: z.string().optional().describe("The message for the host's tenant."),
  classifications: z.array(z.string()).describe("What it means."),
});

const source = { source: z.string().describe("Who reports.") };

export const healthSchema = z.object({
  state: z.enum(healthStates).describe("Whether there is an alert."),
  since: timeSchema.describe("When `state` last changed."),
  prevents_allocation: z.boolean().describe("Whether an alert keeps the host out of the pool."),
  suppresses_alarms: z
    .boolean()
    .describe("Whether outside alarms about the host may be suppressed."),
  alerts: z
    .array(alertSchema.extend(source))
    .describe("The alerts of all sources, after overrides."),
  sources: z
    .array(
      z.object({
        ...source,
        observed_at: timeSchema.describe("Time of the current report."),
        interval_seconds: z.int().optional().describe("The interval of its reports in seconds."),
        late_since: timeSchema.optional().describe("When its report became late."),
        successes: z.array(z.object(probe)).describe("Successful probes."),
        alerts: z.array(alertSchema).describe("Failed probes."),
      }),
    )
    .describe("The last report of each source."),
  overrides: z
    .array(
      z.object({
        ...source,
        mode: z
          .enum(["merge", "replace"])
          .describe("In addition to its alerts, or instead of them."),
        since: timeSchema.describe("Since when."),
        by: z.string().describe("Who set it."),
        alerts: z.array(alertSchema).describe("The alerts of the override."),
      }),
    )
    .describe("Administrators' overrides of sources."),
});
