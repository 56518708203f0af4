import { type Condition, conditions, type Finding } from "../../kernel/object/condition.ts";
import type { HubConditionType, HubState, HubStatus } from "./model.ts";

/** A hub's status: what is known of both directions. Pure. */

export type HubFindings = Partial<Record<HubConditionType, Finding>>;

/** What is said of a direction before anything has gone that way. */
const unknown: Record<HubConditionType, Finding> = {
  HUB_CONDITION_TYPE_HEARD: { status: "unknown", reason: "NotHeardYet" },
  HUB_CONDITION_TYPE_REACHED: { status: "unknown", reason: "NotAskedYet" },
};

/** The status with what was found; what nothing was found of stays as it was. */
export function hubStatus(before: HubStatus, found: HubFindings, now: number): HubStatus {
  const { message: _, conditions: known = [], ...rest } = before;
  const findings = { ...unknown, ...Object.fromEntries(known.map(findingOf)), ...found };
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

/** That it cannot be reached is worse than that it is silent: nothing that runs there goes on. */
function stateOf(findings: Record<HubConditionType, Finding>): {
  state: HubState;
  message?: string;
} {
  const { HUB_CONDITION_TYPE_HEARD: heard, HUB_CONDITION_TYPE_REACHED: reached } = findings;
  const wrong = [reached, heard].find(({ status }) => status === false);
  if (wrong) return { state: "HUB_STATE_UNREACHABLE", message: wrong.message ?? wrong.reason };
  return { state: heard.status === true ? "HUB_STATE_READY" : "HUB_STATE_PENDING" };
}
