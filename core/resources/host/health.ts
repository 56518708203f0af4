import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { minutes, timestamp, timeText } from "../../clock.ts";
import { lineSchema } from "../../kernel/input/text.ts";
import {
  type AlertInput,
  alertsInputSchema,
  fits,
  type HealthReportInput,
} from "../../machine/health-report.ts";
import { reportLate } from "../../placement/pool/silent-dpu.ts";
import {
  type Alert,
  fitted,
  isTarget,
  type Probe,
  preventsAllocation,
  type Said,
  suppressesAlarms,
} from "./alerts.ts";
import type { Host } from "./model.ts";

/**
 * The health of a host by several sources: the last report of each, the overrides of administrators, and the
 * resulting alerts. Pure.
 */

export const sourceSchema = lineSchema(63).describe("Who reports, such as `dcgm`.");

const overrideModes = ["merge", "replace", "none"] as const;

export const overrideSchema = z
  .strictObject({
    source: sourceSchema.describe("The source to override."),
    mode: z
      .enum(overrideModes)
      .describe(
        "`merge`: adds these alerts to those of the source. `replace`: replaces them. `none`: ends the override.",
      ),
    alerts: alertsInputSchema.describe(
      "The alerts; an empty list with `replace` makes the source healthy.",
    ),
  })
  .check(fits);
export type OverrideInput = z.output<typeof overrideSchema>;

export interface HealthReport {
  observed_at: string;
  interval_seconds?: number;
  successes: Probe[];
  alerts: Alert[];
  /** When the source was found to be late. */
  late_since?: string;
}

export interface HealthOverride {
  mode: "merge" | "replace";
  since: string;
  by: string;
  alerts: Alert[];
}

export interface HealthRecord {
  /** The last report of each source. */
  reports: Record<string, HealthReport>;
  overrides?: Record<string, HealthOverride>;
  /** The time of the next check for late sources. */
  looked_at?: string;
}

/** The health that follows from the record, as the API shows it. */
export interface Health {
  state: (typeof healthStates)[number];
  /** Since when it is in this state. */
  since: string;
  prevents_allocation: boolean;
  suppresses_alarms: boolean;
  alerts: (Alert & { source: string })[];
}

export const healthStates = ["HEALTH_STATE_OK", "HEALTH_STATE_ALERT"] as const;

const emptyRecord: HealthRecord = { reports: {} };

/** A copy of a map with this entry; undefined removes it. */
const withEntry = <T>(of: Record<string, T>, name: string, entry: T | undefined) => {
  const { [name]: _, ...others } = of;
  return entry === undefined ? others : { ...others, [name]: entry };
};

/** The alerts to store; one that was already there keeps its start time. */
const lasting = (given: readonly AlertInput[], before: readonly Alert[], now: string): Alert[] =>
  given.map(({ target, tenant_message, ...rest }) => ({
    ...rest,
    ...(target !== undefined && { target }),
    ...(tenant_message !== undefined && { tenant_message }),
    since: before.find((each) => each.id === rest.id && isTarget(each, target))?.since ?? now,
  }));

/**
 * The host after a source's report; undefined if nothing changes. A report without probes and without an
 * interval removes the source. `now` in milliseconds; `anew`: the time is stored even if the report repeats the
 * last one.
 */
export function reported(
  host: Host,
  source: string,
  { interval_seconds: interval, successes, alerts }: HealthReportInput,
  now: number,
  how?: "anew",
): Host | undefined {
  const { reports, overrides } = host.health ?? emptyRecord;
  const before = reports[source];
  const isEmpty = interval === undefined && successes.length + alerts.length === 0;
  if (isEmpty)
    return (
      before && withHealth(host, { reports: withEntry(reports, source, undefined), overrides }, now)
    );
  const at = timestamp(now);
  const report: HealthReport = fitted({
    observed_at: at,
    ...(interval !== undefined && { interval_seconds: interval }),
    successes: successes.map(({ id, target }) => ({ id, ...(target !== undefined && { target }) })),
    alerts: lasting(alerts, before?.alerts ?? [], at),
  });
  if (
    how !== "anew" &&
    before &&
    isDeepStrictEqual({ ...before, observed_at: at }, report) &&
    isFresh(before, now)
  )
    return undefined;
  return withHealth(host, { reports: withEntry(reports, source, report), overrides }, now);
}

/**
 * Whether the stored time is recent enough to skip an equal report; otherwise every report would be a write.
 */
const isFresh = ({ interval_seconds: interval, observed_at }: HealthReport, now: number): boolean =>
  interval === undefined || now - Date.parse(observed_at) < interval * 2000;

/** The time (ms) from which a source is late. It allows for one report that was not written. */
const lateFrom = ({ interval_seconds: interval, observed_at, late_since }: HealthReport): number =>
  interval === undefined || late_since !== undefined
    ? Number.POSITIVE_INFINITY
    : Date.parse(observed_at) + interval * 4000;

/**
 * The host with its next check, at the time (ms) when a source can first be late, unless an earlier check is
 * due.
 */
export function withLook(host: Host, now: number): { host: Host; at?: number } {
  const { health } = host;
  const at = Math.min(...Object.values(health?.reports ?? {}).map(lateFrom));
  const next = Date.parse(health?.looked_at ?? "");
  if (!health || at === Number.POSITIVE_INFINITY || (next > now && next <= at)) return { host };
  return { host: { ...host, health: { ...health, looked_at: timestamp(at) } }, at };
}

/** The host with its late sources marked; undefined if none is newly late. */
export function withLate(host: Host, now: number): Host | undefined {
  const { health } = host;
  if (!health) return undefined;
  const late = Object.entries(health.reports).filter(([, report]) => lateFrom(report) <= now);
  if (late.length === 0) return undefined;
  const marked = late.map(([source, report]) => [
    source,
    { ...report, late_since: timestamp(now) },
  ]);
  const reports = { ...health.reports, ...Object.fromEntries(marked) };
  return withHealth(host, { ...health, reports }, now);
}

/** The host with the alerts of a source overridden, or with that override removed. */
export function overridden(
  host: Host,
  { source, mode, alerts }: OverrideInput,
  by: string,
  now: number,
): Host | undefined {
  const { reports, overrides = {} } = host.health ?? emptyRecord;
  const before = overrides[source];
  if (mode === "none")
    return (
      before &&
      withHealth(host, { reports, overrides: withEntry(overrides, source, undefined) }, now)
    );
  const since = timestamp(now);
  const override = fitted({
    mode,
    since,
    by,
    alerts: lasting(alerts, before?.alerts ?? [], since),
  });
  return withHealth(host, { reports, overrides: withEntry(overrides, source, override) }, now);
}

function withHealth(
  { health: record, ...host }: Host,
  {
    reports,
    overrides = {},
  }: Pick<HealthRecord, "reports"> & { overrides?: HealthRecord["overrides"] | undefined },
  now: number,
): Host {
  const { health: before, ...status } = host.status;
  const hasOverrides = Object.keys(overrides).length > 0;
  if (!hasOverrides && Object.keys(reports).length === 0) return { ...host, status };
  const { looked_at } = record ?? {};
  const health = {
    reports: fitting(reports),
    ...(hasOverrides && { overrides: fitting(overrides) }),
    ...(looked_at !== undefined && { looked_at }),
  };
  return { ...host, health, status: { ...status, health: merged(health, before, now) } };
}

/** The map with each source's alerts cut to the limit. */
const fitting = <T extends Said>(of: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(of).map(([source, said]) => [source, fitted(said)]));

/** The effective alerts of all sources, with the overrides of administrators. */
export function alertsIn({ reports, overrides = {} }: HealthRecord): Health["alerts"] {
  const sources = [...new Set([...Object.keys(reports), ...Object.keys(overrides)])].toSorted();
  return sources.flatMap((source) => {
    const override = overrides[source];
    const own = override?.mode === "replace" ? [] : alertsOf(reports[source]);
    return [...own, ...(override?.alerts ?? [])].map((alert) => ({ source, ...alert }));
  });
}

function merged(health: HealthRecord, before: Health | undefined, now: number): Health {
  const alerts = alertsIn(health);
  const has = (word: string) => alerts.some(({ classifications: all }) => all.includes(word));
  const state = alerts.length > 0 ? "HEALTH_STATE_ALERT" : "HEALTH_STATE_OK";
  return {
    state,
    since: before?.state === state ? before.since : timestamp(now),
    prevents_allocation: has(preventsAllocation),
    suppresses_alarms: has(suppressesAlarms),
    alerts,
  };
}

/** The alerts of a source. Its lateness adds one, since the host's health is unknown then. */
function alertsOf(report: HealthReport | undefined): Alert[] {
  if (!report) return [];
  const { alerts, late_since: since, interval_seconds: interval = 0, observed_at } = report;
  if (since === undefined) return alerts;
  const message = `expected a report every ${minutesOf(interval)}; the last that counts came at ${timeText(observed_at)}`;
  return [...alerts, { id: reportLate, since, message, classifications: [preventsAllocation] }];
}

const minutesOf = (seconds: number): string =>
  seconds * 1000 < minutes(2) ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
