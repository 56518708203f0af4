import { timestamp } from "../../clock.ts";
import { conditionsOfTrouble, type Finding } from "../../kernel/object/condition.ts";
import { leafOf } from "./leaf.ts";
import type { Dpu, DpuState, DpuStatus, Told } from "./model.ts";

/** Computes the status of a DPU from its record. Pure; `now` in milliseconds. */
export function dpuStatusOf(dpu: Dpu, now: number): DpuStatus {
  const { status, told, heard_at, wanted, applied, quarantine } = dpu;
  const state = stateOf(dpu);
  const leaf = leafOf(dpu);
  const message = quarantine?.reason;
  return {
    state,
    since: status.state === state && status.since ? status.since : timestamp(now),
    ...(message !== undefined && { message }),
    ...(told?.address && { address: told.address.is }),
    ...(heard_at !== undefined && { last_heard_time: heard_at }),
    ...(wanted && { wanted_version: wanted.version }),
    ...(applied?.state === "applied" && { applied_version: applied.version }),
    ...(applied && { applied_time: applied.at }),
    ...(applied?.leases?.length && { leases: applied.leases }),
    ...(told && { told_times: timesOf(told) }),
    ...(leaf && { leaf }),
    ...conditionsOfTrouble(status.conditions, { DPU_CONDITION_TYPE_REPORTS: reports(dpu) }, now),
  };
}

/** A newer request of its agent shows that it reports again, even before the host's record does. */
function reports({ silent, heard_at = "" }: Dpu): Finding {
  if (!silent || heard_at > silent.since) return { status: true, reason: "Reports" };
  return { status: false, reason: "Silent", ...silent };
}

const timesOf = (told: Told): DpuStatus["told_times"] =>
  Object.fromEntries(Object.entries(told).map(([what, { at }]) => [what, at]));

function stateOf({ operation, quarantine, isProvisioned }: Dpu): DpuState {
  if (operation) return "DPU_STATE_PROVISIONING";
  if (quarantine) return "DPU_STATE_QUARANTINED";
  return isProvisioned ? "DPU_STATE_READY" : "DPU_STATE_UNDISCOVERED";
}
