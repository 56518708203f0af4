import { hours } from "../core/clock.ts";
import { sum } from "./counts.ts";
import { reportOfHotPools } from "./hot-pool/report.ts";
import type { Outcome } from "./outcome.ts";
import { reportOfServers } from "./servers/report.ts";
import { byPattern, shown, table } from "./tables.ts";

/** The output of a simulation: a line during its run, and tables at its end. */

export function progress(outcome: Outcome, all: number, hoursPassed: number): string {
  const { orders, ended, faults, stuck, unexpected, lost, leaked, cpuSeconds } = outcome;
  return [
    `${orders} of ${all} orders`,
    `${sum(ended)} operations ended`,
    `${sum(faults)} faults`,
    `stuck ${sum(stuck) + sum(unexpected)}, lost ${lost.length}, leaked ${leaked.length}`,
    `${hoursPassed.toFixed(1)} h in ${cpuSeconds.toFixed(0)} s of CPU`,
  ].join("; ");
}

export function reportOf(outcome: Outcome): string {
  const { orders, accepted, refused, ended, failures, faults, outages, waits } = outcome;
  const { stuck, unexpected, lost, leaked, late, broken, hotPool, servers, cpuSeconds, trace } =
    outcome;
  const inHours = Object.fromEntries(
    Object.entries(waits).map(([cause, ms]) => [cause, Math.round(ms / hours(0.1)) / 10]),
  );
  return [
    table("requests accepted", accepted),
    table("requests refused", refused),
    table("orders and changes by outcome", ended),
    table("failed because of", failures, shown),
    table("faults by kind", faults),
    table("calls that came to a system that was unreachable", outages),
    table("stuck, as expected after a refusal, until resumed", stuck),
    table("stuck for other reasons", unexpected),
    table("waited for, in hours", inHours, shown),
    table("lost", byPattern(lost)),
    table("leaked", byPattern(leaked)),
    table("late", byPattern(late)),
    table("answered with an internal error", byPattern(broken)),
    ...(hotPool ? reportOfHotPools(hotPool) : []),
    ...(servers ? reportOfServers(servers) : []),
    ...[lost, leaked, late, broken].flatMap((lines) => lines.slice(0, 3)),
    `orders ${orders}, operations ${sum(ended)}, faults ${sum(faults)}, stuck ${sum(stuck) + sum(unexpected)} (unexpected ${sum(unexpected)}), lost ${lost.length}, leaked ${leaked.length}, late ${late.length}`,
    `${(orders / cpuSeconds).toFixed(2)} orders per CPU second (${cpuSeconds.toFixed(1)} s)`,
    `trace ${trace}`,
  ].join("\n");
}
