import { expect, it } from "vitest";
import { hours, minutes } from "../../../../core/clock.ts";
import type { HealthReportInput } from "../../../../core/machine/health-report.ts";
import { isUsable } from "../../../../core/placement/pool/host.ts";
import { overridden, reported, withLate } from "../../../../core/resources/host/health.ts";
import { refuseSource } from "../../../../core/resources/host/health-sources.ts";
import type { Host } from "../../../../core/resources/host/model.ts";

/** The health of a host: reports of several sources, and what administrators have read instead. */

const t0 = Date.parse("2026-05-04T10:00:00.000Z");

// What the rules read of a host, which is one that could be claimed.
const well = {
  spec: { hub: "hub-a", bmc: { address: "redfish://10.0.0.1" } },
  status: {
    agent: { hub: "hub-a", gone: false, state: "known-unbound", bound_to: "", labelled_for: "" },
  },
} as unknown as Host;

const broken = {
  id: "fan-speed",
  message: "expected 8000 rpm; it has 0",
  classifications: ["prevents_allocation"],
};
const report = (more: Partial<HealthReportInput> = {}): HealthReportInput => ({
  successes: [],
  alerts: [],
  ...more,
});
const sick = reported(well, "dcgm", report({ alerts: [broken] }), t0) ?? well;
const fine = report({ successes: [{ id: "fan-speed" }] });

const alertsOf = (host: Host | undefined) =>
  host?.status.health?.alerts.map(({ source, id, since }) => `${source} ${id} ${since}`);

it("an alert that prevents allocation keeps a host from orders, until its source has another word", () => {
  expect(isUsable(well)).toBe(true);
  expect(isUsable(sick)).toBe(false);
  const mended = reported(sick, "dcgm", fine, t0 + minutes(5)) ?? sick;
  expect(isUsable(mended)).toBe(true);
  expect(mended.status.health).toMatchObject({ state: "HEALTH_STATE_OK", alerts: [] });
});

it("other words in an alert keep nobody from a host", () => {
  const alert = { ...broken, classifications: ["suppresses_alarms", "hot"] };
  const warm = reported(well, "dcgm", report({ alerts: [alert] }), t0) ?? well;
  expect(isUsable(warm)).toBe(true);
  expect(warm.status.health).toMatchObject({
    state: "HEALTH_STATE_ALERT",
    suppresses_alarms: true,
    prevents_allocation: false,
  });
});

it("an alert that is reported again lasts since the first time, and each source has its own", () => {
  const again = { ...broken, message: "expected 8000 rpm; it has 10" };
  const later = reported(sick, "dcgm", report({ alerts: [again] }), t0 + minutes(5)) ?? sick;
  const both = reported(later, "bmc", report({ alerts: [broken] }), t0 + minutes(6)) ?? later;
  expect(alertsOf(both)).toEqual([
    "bmc fan-speed 2026-05-04T10:06:00.000Z",
    "dcgm fan-speed 2026-05-04T10:00:00.000Z",
  ]);
});

it("a report that says the same changes nothing, but for the time that a promise needs", () => {
  expect(reported(sick, "dcgm", report({ alerts: [broken] }), t0 + hours(9))).toBeUndefined();
  const promise = report({ ...fine, interval_seconds: 60 });
  const promised = reported(well, "dcgm", promise, t0) ?? well;
  expect(reported(promised, "dcgm", promise, t0 + minutes(1))).toBeUndefined();
  expect(reported(promised, "dcgm", promise, t0 + minutes(2))).toBeDefined();
});

it("a source that has promised to report and does not is late, which prevents allocation, until it reports", () => {
  const promise = report({ ...fine, interval_seconds: 60 });
  const promised = reported(well, "dcgm", promise, t0) ?? well;
  expect(withLate(promised, t0 + minutes(4) - 1)).toBeUndefined();
  const late = withLate(promised, t0 + minutes(4)) ?? promised;
  expect(isUsable(late)).toBe(false);
  expect(late.status.health?.alerts[0]?.message).toBe(
    "expected a report every 60 seconds; the last that counts came at 2026-05-04T10:00:00Z",
  );
  expect(withLate(late, t0 + minutes(9))).toBeUndefined();
  expect(isUsable(reported(late, "dcgm", promise, t0 + minutes(10)) ?? late)).toBe(true);
});

it("a source without a promise is never late", () => {
  expect(withLate(sick, t0 + hours(1000))).toBeUndefined();
});

it("an administrator has alerts of a source replaced or added to, until that is ended", () => {
  const other = { ...broken, id: "known-fault", classifications: [] };
  const by = "root";
  const set = (mode: "merge" | "replace" | "none", host = sick) =>
    overridden(host, { source: "dcgm", mode, alerts: mode === "none" ? [] : [other] }, by, t0);
  expect(isUsable(set("replace") ?? sick)).toBe(true);
  expect(alertsOf(set("replace"))).toEqual(["dcgm known-fault 2026-05-04T10:00:00.000Z"]);
  expect(alertsOf(set("merge"))).toHaveLength(2);
  expect(set("none")).toBeUndefined();
  expect(isUsable(set("none", set("replace")) ?? well)).toBe(false);
});

it("an override lasts through the reports that come after it", () => {
  const replaced = overridden(sick, { source: "dcgm", mode: "replace", alerts: [] }, "root", t0);
  const alerts = [broken, { ...broken, id: "psu" }];
  const later = reported(replaced ?? well, "dcgm", report({ alerts }), t0 + minutes(1));
  expect(isUsable(later ?? sick)).toBe(true);
});

it("a report of nothing forgets the source, and a host of none has no health", () => {
  const forgotten = reported(sick, "dcgm", report(), t0 + minutes(1));
  expect(forgotten).toEqual(well);
  expect(reported(well, "dcgm", report(), t0)).toBeUndefined();
});

it("a host has no more than 16 sources", () => {
  let host = well;
  for (let n = 0; n < 16; n++) host = reported(host, `source-${n}`, fine, t0) ?? host;
  expect(refuseSource(host, "source-3")).toBeUndefined();
  expect(refuseSource(host, "source-16")?.message).toMatch(/^the host has 16 sources/);
});
