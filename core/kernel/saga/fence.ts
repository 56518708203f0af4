import { objectKey } from "../object/keys.ts";
import { type Check, eq, type WriteCondition } from "../store/store.ts";
import type { Operation } from "./operation.ts";

/** The entry of a step that is interrupted until its hub answers; its tokens are kept until then. */

const goesOn = "goes_on";
const attemptOf = (step: string): string => `attempt:${step}`;

/** Holds while the operation has neither turned back nor been asked to stop. */
export const isGoingOn: WriteCondition = eq(goesOn, true);

/** Whether the operation's dos may continue: it has not ended, not turned back, and not been asked to stop. */
export const mayGoOn = ({ status: { state }, unwinding, cancel }: Operation): boolean =>
  (state === "PENDING" || state === "RUNNING") && !unwinding && cancel === undefined;

/** Holds while an operation may continue; for a transaction of another operation that also serves this one. */
export const stillGoesOn = ({ id, revision, status: { state } }: Operation): Check => ({
  check: objectKey("operation", id),
  // Before the operation begins, a condition can name only its revision.
  if: state === "RUNNING" ? isGoingOn : eq("revision", revision),
});

/** Holds while the writes of an attempt count. */
export const isAttemptOf = (step: string, attempt: string): WriteCondition =>
  eq(attemptOf(step), attempt);

/** The attributes that the fences of an operation name. */
export function fencesOf({ status, unwinding, cancel, steps }: Operation) {
  const attempts = Object.entries(steps).flatMap(([step, { attempt }]) =>
    attempt === undefined ? [] : [[attemptOf(step), attempt]],
  );
  const isOn = status.state === "RUNNING" && !unwinding && cancel === undefined;
  return { [goesOn]: isOn, ...Object.fromEntries(attempts) };
}
