import { bounds, cut } from "../../bounds.ts";
import { timestamp } from "../../clock.ts";

export type ConditionStatus =
  | "CONDITION_STATUS_TRUE"
  | "CONDITION_STATUS_FALSE"
  | "CONDITION_STATUS_UNSPECIFIED";

export interface Condition<Type extends string = string> {
  type: Type;
  status: ConditionStatus;
  reason: string;
  message: string;
  last_transition_time: string;
}

/** A condition without a time, as a rule computes it. */
export interface Finding {
  status: boolean | "unknown";
  reason: string;
  message?: string;
  /** When it began, if known; the time of the first write by default. */
  since?: string;
}

const statusOf = (status: Finding["status"]): ConditionStatus =>
  status === "unknown"
    ? "CONDITION_STATUS_UNSPECIFIED"
    : status
      ? "CONDITION_STATUS_TRUE"
      : "CONDITION_STATUS_FALSE";

/**
 * Conditions in the order of `findings`. `last_transition_time` moves only when the status of that
 * condition differs from `before`.
 */
export function conditions<Type extends string>(
  before: Condition<Type>[],
  findings: Partial<Record<Type, Finding>>,
  now: number,
): Condition<Type>[] {
  return (Object.entries(findings) as [Type, Finding][]).map(([type, finding]) => {
    const status = statusOf(finding.status);
    const old = before.find((condition) => condition.type === type);
    return {
      type,
      status,
      reason: finding.reason,
      message: cut(finding.message ?? "", bounds.reason),
      last_transition_time:
        old?.status === status ? old.last_transition_time : (finding.since ?? timestamp(now)),
    };
  });
}

/**
 * The conditions that an object shows: those of its record, and findings with the wrong status that an older record
 * lacks. A finding with the wrong status also has its start time.
 */
export function withTrouble<Type extends string>(
  stored: Condition<Type>[] | undefined,
  findings: Record<Type, Finding>,
): { conditions?: Condition<Type>[] } {
  const known = new Set(stored?.map(({ type }) => type));
  const { conditions: untold = [] } = conditionsOfTrouble(undefined, findings, 0);
  const found = [...(stored ?? []), ...untold.filter(({ type }) => !known.has(type))];
  return found.length > 0 ? { conditions: found } : {};
}

/**
 * Conditions that an object's record has only after a first fault. A condition is added when it first has the `wrong`
 * status, and stays from then on.
 */
export function conditionsOfTrouble<Type extends string>(
  before: Condition<Type>[] | undefined,
  findings: Record<Type, Finding>,
  now: number,
  wrong = false,
): { conditions?: Condition<Type>[] } {
  const wasToldOf = new Set(before?.map(({ type }) => type));
  const told = Object.fromEntries(
    (Object.entries(findings) as [Type, Finding][]).filter(
      ([type, { status }]) => wasToldOf.has(type) || status === wrong,
    ),
  ) as Record<Type, Finding>;
  const found = conditions(before ?? [], told, now);
  return found.length > 0 ? { conditions: found } : {};
}
