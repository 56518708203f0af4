import { type Condition, conditions, type Finding } from "../../kernel/object/condition.ts";
import type { HubConditionType, HubState, HubStatus } from "./model.ts";

/** Computes a hub's status from the findings of both directions: reports to Slipway, and calls to the hub. Pure. */

export type HubFindings = Partial<Record<HubConditionType, Finding>>;

type Direction = Exclude<HubConditionType, "HUB_CONDITION_TYPE_OBSERVED">;
type Findings = Record<Direction, Finding> & HubFindings;

/** The findings for a direction without a report or call so far. */
const unknown: Record<Direction, Finding> = {
  HUB_CONDITION_TYPE_HEARD: { status: "unknown", reason: "NotHeardYet" },
  HUB_CONDITION_TYPE_REACHED: { status: "unknown", reason: "NotAskedYet" },
};

/** The status after new findings; the other conditions stay. */
export function hubStatus(before: HubStatus, found: HubFindings, now: number): HubStatus {
  const { message: _, conditions: known = [], ...rest } = before;
  const findings: Findings = { ...unknown, ...Object.fromEntries(known.map(findingOf)), ...found };
  return {
    ...rest,
    ...stateOf(findings),
    conditions: conditions(known, findings, now),
  };
}

function findingOf({ type, status, reason, message }: Condition<HubConditionType>) {
  const known = status === "CONDITION_STATUS_UNSPECIFIED" ? "unknown" : isTrue(status);
  return [type, { status: known, reason, message }] as const;
}

const isTrue = (status: Condition["status"]): boolean => status === "CONDITION_STATUS_TRUE";

/**
 * Unreached is worse than silent, because nothing on an unreached hub continues. A hub that is not observed takes
 * orders, because Slipway reads it instead.
 */
function stateOf(findings: Findings): { state: HubState; message?: string } {
  const { HUB_CONDITION_TYPE_HEARD: heard, HUB_CONDITION_TYPE_REACHED: reached } = findings;
  const { HUB_CONDITION_TYPE_OBSERVED: observed } = findings;
  const wrong = [reached, heard].find(({ status }) => status === false);
  if (wrong) return { state: "HUB_STATE_UNREACHABLE", message: wrong.message ?? wrong.reason };
  return {
    state: heard.status === true ? "HUB_STATE_READY" : "HUB_STATE_PENDING",
    ...(observed?.status === false && { message: observed.message ?? observed.reason }),
  };
}
