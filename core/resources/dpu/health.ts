import { minutes } from "../../clock.ts";
import type { AlertInput, HealthReportInput } from "../../machine/health-report.ts";
import { dpuSource } from "../../placement/pool/silent-dpu.ts";
import { preventsAllocation } from "../host/alerts.ts";
import type { Dpu } from "./model.ts";

/** A DPU's contribution to its host's health: its own report, and Slipway's findings about it. Pure. */

/** The name of the health source for a DPU of the host. */
export const healthSourceOf = ({ metadata: { name } }: Dpu): string => dpuSource(name);

/**
 * The interval (ms) at which requests of the DPU's agent are recorded; the DPU's health source promises reports
 * at the same interval.
 */
const heardEvery = minutes(10);

/**
 * Whether a request of the DPU's agent now (ms) has to be recorded: after the interval, or when the agent gets
 * a newer version.
 */
export const isUnheard = ({ heard_at, given_version, wanted }: Dpu, now: number): boolean =>
  heard_at === undefined ||
  given_version !== wanted?.version ||
  now - Date.parse(heard_at) >= heardEvery;

/** Empty while the DPU is being installed or is quarantined, because the host's own state shows that. */
export function healthOf(dpu: Dpu): HealthReportInput {
  const { told, operation, isProvisioned, metadata } = dpu;
  if (operation !== undefined || !isProvisioned) return { successes: [], alerts: [] };
  const target = `DPU ${metadata.name}`;
  const promised = { interval_seconds: heardEvery / 1000 };
  const { at: _, ...own } = { at: "", ...promised, successes: [], alerts: [], ...told?.health };
  const alerts = [...own.alerts, ...seenOf(dpu)];
  return { ...own, alerts: alerts.map((alert) => ({ target, ...alert })) };
}

function seenOf({ applied }: Dpu): AlertInput[] {
  const classifications = [preventsAllocation];
  if (applied?.state === "failed") {
    const { version, message = "it does not say why" } = applied;
    const says = `expected version ${version} of its network to be applied; it was not: ${message}`;
    return [{ id: "network-applied", message: says, classifications }];
  }
  if (applied?.leaf?.state === "down") {
    const message = "expected its sessions as a leaf to be up; it reports them down";
    return [{ id: "leaf-sessions", message, classifications }];
  }
  return [];
}
