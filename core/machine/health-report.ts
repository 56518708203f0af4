import * as z from "zod";
import { lineSchema } from "../kernel/input/text.ts";
import { itemLimit } from "../kernel/store/size.ts";

/** A health report about a host or a DPU, from any source. */

/** The limit of probes in a report. */
const probeLimit = 64;

/**
 * The limit of one source's report about a host, in bytes of JSON. A host is one item of the store, so the
 * largest reports of all sources have to fit (`healthLimit` of hosts).
 */
export const reportBytes = itemLimit / 100;

/** Reserved for what Slipway adds to an alert: start time and source. */
const alertBytes = 100;

/** The size of a report, for comparison with the limit. */
export const bytesOf = ({
  alerts,
  successes = [],
}: {
  alerts: readonly object[];
  successes?: readonly object[];
}): number => Buffer.byteLength(JSON.stringify([alerts, successes])) + alerts.length * alertBytes;

/** Refuses a report, or an override of alerts, that exceeds the limit of a source. */
export function fits({ value, issues }: z.core.ParsePayload<Parameters<typeof bytesOf>[0]>): void {
  const size = bytesOf(value);
  if (size <= reportBytes) return;
  issues.push({
    code: "custom",
    path: ["alerts"],
    message: `have ${size} bytes with the successes; a source may have ${reportBytes}: say less of each, or report fewer`,
    input: value.alerts,
  });
}

const probe = {
  id: lineSchema(63).describe("The check, such as `fan-speed`."),
  target: lineSchema(253).optional().describe("The part of the host, or one of its DPUs."),
};

const alertInputSchema = z.strictObject({
  ...probe,
  message: lineSchema(1000).describe("The expected and the observed value."),
  tenant_message: lineSchema(1000)
    .optional()
    .describe("The message for the tenant that has the host: nothing of the host's insides."),
  classifications: z
    .array(lineSchema(63))
    .max(8)
    .default([])
    .describe(
      "`prevents_allocation`: no order gets the host while it lasts. `suppresses_alarms`: whoever monitors the host from outside need not be notified. Other words are kept.",
    ),
});
export const alertsInputSchema = z.array(alertInputSchema).max(probeLimit).default([]);
export type AlertInput = z.output<typeof alertInputSchema>;

export const healthReportMembers = {
  interval_seconds: z
    .int()
    .min(60)
    .max(86_400)
    .optional()
    .describe("How often the source promises to report; after four times as long it is late."),
  successes: z
    .array(z.strictObject(probe))
    .max(probeLimit)
    .default([])
    .describe("Probes that passed."),
  alerts: alertsInputSchema.describe("Probes that failed."),
};
export const healthReportSchema = z.strictObject(healthReportMembers).check(fits);
export type HealthReportInput = z.output<typeof healthReportSchema>;
