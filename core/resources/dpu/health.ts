import { minutes } from "../../clock.ts";
import type { AlertInput, HealthReportInput } from "../../machine/health-report.ts";
import { dpuSource } from "../../placement/pool/silent-dpu.ts";
import { preventsAllocation } from "../host/alerts.ts";
import type { Dpu } from "./model.ts";

/** What a DPU adds to the health of its host: what it reports of itself, and what Slipway sees of it. Pure. */

/** The source that a DPU is at its host. */
export const healthSourceOf = ({ metadata: { name } }: Dpu): string => dpuSource(name);

/** So often (ms) it is written down that the agent of a DPU reports; its host is promised this. */
const heardEvery = minutes(10);

/** Whether it is worth a write that the agent of a DPU is heard now (ms): also where it is given a newer version. */
export const isUnheard = ({ heard_at, given_version, wanted }: Dpu, now: number): boolean =>
  heard_at === undefined ||
  given_version !== wanted?.version ||
  now - Date.parse(heard_at) >= heardEvery;

/** Nothing while the DPU is being installed, or is quarantined: its host says so by itself then. */
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
