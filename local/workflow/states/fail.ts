import type { FailState } from "../asl.ts";
import { StateError } from "../errors.ts";
import type { Visit } from "../visit.ts";

/** Always throws: the state's error is the error of its scope. */
export async function runFail(visit: Visit, state: FailState): Promise<never> {
  const error = await textOf(visit, state.Error, "Error");
  const cause = await textOf(visit, state.Cause, "Cause");
  throw new StateError(error, cause);
}

async function textOf(
  visit: Visit,
  template: string | undefined,
  field: string,
): Promise<string | undefined> {
  if (template === undefined) return undefined;
  const text = await visit.evaluate(template, field);
  if (typeof text !== "string") throw visit.wrongValue(field, "a string");
  return text;
}
