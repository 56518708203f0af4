import * as z from "zod";
import { timestamp, timeText } from "../../clock.ts";
import { refuseViolations } from "../../kernel/input/parse.ts";

/** A tenant's consent to a time in which its server is off. */

export const given = ["now", "on_restart", "window"] as const;

export const consentSchema = z.strictObject({
  consent: z
    .enum([...given, "none"])
    .describe(
      "`now`: at once. `on_restart`: at your next restart. `window`: between `from` and `until`. `none`: consent is withdrawn.",
    ),
  from: z.iso.datetime().optional().describe("With `window`: the earliest start."),
  until: z.iso.datetime().optional().describe("With `window`: the latest start."),
});
export type ConsentInput = z.output<typeof consentSchema>;

export interface Consent {
  given: (typeof given)[number];
  by: string;
  at: string;
  /** The earliest start, if the consent has one. */
  from?: string;
  until?: string;
}

/**
 * The window of a consent. Throws Invalid for a window without an end or in the past, and for times in a
 * consent to any time.
 */
export function windowOf(
  { consent, from, until }: ConsentInput,
  now: number,
): Pick<Consent, "from" | "until"> {
  const isWindow = consent === "window";
  const message = isWindow ? "is required with a window" : "is only for a window";
  refuseViolations(
    Object.entries({ from, until }).flatMap(([field, at]) =>
      (at !== undefined) === isWindow ? [] : [{ field, message }],
    ),
  );
  if (from === undefined || until === undefined) return {};
  const [start, end] = [Date.parse(from), Date.parse(until)];
  if (end <= Math.max(start, now))
    refuseViolations([{ field: "until", message: "must be later than `from` and than now" }]);
  return { from: timestamp(start), until: timestamp(end) };
}

/** Whether the consent allows the work to begin now. `now` in milliseconds. */
export function consentHolds(consent: Consent | undefined, now: number): boolean {
  if (consent?.given !== "window") return consent?.given === "now";
  const { from = "", until = "" } = consent;
  return from <= timestamp(now) && timestamp(now) < until;
}

/** Whether the window of a consent has ended. */
export const isOver = (consent: Consent | undefined, now: number): boolean =>
  consent?.until !== undefined && consent.until <= timestamp(now);

/** The consent, in words. */
export function consentInWords({ given: when, from = "", until = "" }: Consent): string {
  if (when === "window")
    return `it begins between ${timeText(from)} and ${timeText(until)}, with your consent`;
  return when === "now"
    ? "it begins once no other operation works on the server, with your consent"
    : "it begins with the next restart, with your consent";
}
