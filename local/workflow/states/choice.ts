import type { ChoiceState } from "../asl.ts";
import { StateError } from "../errors.ts";
import type { Outcome, Visit } from "../visit.ts";

/** A matching rule decides the outcome alone; the state's own Output and Assign apply only to the default. */
export async function runChoice(visit: Visit, state: ChoiceState): Promise<Outcome> {
  for (const [index, choice] of state.Choices.entries()) {
    const field = `Choices[${index}]/Condition`;
    const matches = await visit.evaluate(choice.Condition, field);
    if (typeof matches !== "boolean") throw visit.wrongValue(field, "a boolean");
    if (matches) return visit.shape(choice, choice.Next, visit.input);
  }
  if (state.Default === undefined) {
    throw new StateError(
      "States.NoChoiceMatched",
      `No choice of the state '${visit.name}' matched, and it has no Default.`,
    );
  }
  return visit.shape(state, state.Default, visit.input);
}
