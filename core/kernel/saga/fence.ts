import { objectKey } from "../object/keys.ts";
import { type Check, eq, type WriteCondition } from "../store/store.ts";
import type { Operation } from "./operation.ts";

/** What fences ask of an operation, as attributes of its item: a condition can name nothing else. */

const goesOn = "goes_on";
const attemptOf = (step: string): string => `attempt:${step}`;

/** Holds while the operation has not turned back and has not been asked to stop. */
export const isGoingOn: WriteCondition = eq(goesOn, true);

/** Whether no do of the operation was refused to continue: it has not ended, not turned back, and nobody has it stopped. */
export const mayGoOn = ({ status: { state }, unwinding, cancel }: Operation): boolean =>
  (state === "PENDING" || state === "RUNNING") && !unwinding && cancel === undefined;

/** Holds while an operation that may continue still may, for a transaction of another one that serves it too. */
export const stillGoesOn = ({ id, revision, status: { state } }: Operation): Check => ({
  check: objectKey("operation", id),
  // Before it begins, nothing of it can be named but its version.
  if: state === "RUNNING" ? isGoingOn : eq("revision", revision),
});

/** Holds while an attempt is the one whose writes count. */
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
