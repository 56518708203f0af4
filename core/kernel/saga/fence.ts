import { type Condition, eq } from "../store/store.ts";
import type { Operation } from "./operation.ts";

/** What fences ask of an operation, as attributes of its item: a condition can name nothing else. */

const goesOn = "goes_on";
const attemptOf = (step: string): string => `attempt:${step}`;

/** Holds while the operation has not turned back and has not been asked to stop. */
export const isGoingOn: Condition = eq(goesOn, true);

/** Holds while an attempt is the one whose writes count. */
export const isAttemptOf = (step: string, attempt: string): Condition =>
  eq(attemptOf(step), attempt);

/** The attributes that the fences of an operation name. */
export function fencesOf({ status, unwinding, cancel, steps }: Operation) {
  const attempts = Object.entries(steps).flatMap(([step, { attempt }]) =>
    attempt === undefined ? [] : [[attemptOf(step), attempt]],
  );
  const isOn = status.state === "RUNNING" && !unwinding && cancel === undefined;
  return { [goesOn]: isOn, ...Object.fromEntries(attempts) };
}
