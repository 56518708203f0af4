import type { FailState } from "../asl.ts";
import { StateError } from "../errors.ts";
import type { Visit } from "../visit.ts";

/** The prefix of error names that no state may use ("Error representation" in the specification). */
const reserved = "States.";

/** Always throws: the state's error is the error of its scope. */
export async function runFail(visit: Visit, state: FailState): Promise<never> {
  const error = await textOf(visit, state.Error, "Error");
  // The language's specification and LocalStack's interpreter refuse a reserved name; AWS's
  // behaviour has not been checked.
  if (error?.startsWith(reserved))
    throw new StateError(
      "States.Runtime",
      `The state '${visit.name}' reports '${error}': names that begin with '${reserved}' are reserved.`,
    );
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
