import { type Condition, conditions, type Finding } from "../../kernel/object/condition.ts";
import type { HubConditionType, HubState, HubStatus } from "./model.ts";

/** A hub's status: the findings of both directions. Pure. */

export type HubFindings = Partial<Record<HubConditionType, Finding>>;

type Direction = Exclude<HubConditionType, "HUB_CONDITION_TYPE_OBSERVED">;
type Findings = Record<Direction, Finding> & HubFindings;

/** The findings of a direction that has not been tried yet. */
const unknown: Record<Direction, Finding> = {
  HUB_CONDITION_TYPE_HEARD: { status: "unknown", reason: "NotHeardYet" },
  HUB_CONDITION_TYPE_REACHED: { status: "unknown", reason: "NotAskedYet" },
};

/** The status with new findings; conditions without a new finding stay. */
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
 * Unreached is worse than silent: nothing on an unreached hub continues. A hub that is not observed takes orders, since
 * it is read instead.
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
