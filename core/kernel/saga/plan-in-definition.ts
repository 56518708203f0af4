import * as z from "zod";
import type { OperationPlan, PlanNode } from "./plan.ts";
import { planSchema } from "./plan-schema.ts";
import { recordFailureState, undoName } from "./saga.ts";

/**
 * Reads the plan from the text of a state machine's definition: for executions whose definition does not pass the plan
 * to their workers.
 */

const stateSchema = z.looseObject({
  Type: z.string(),
  Next: z.string().optional(),
  Default: z.string().optional(),
  Choices: z.array(z.looseObject({ Next: z.string() })).optional(),
});
type State = z.infer<typeof stateSchema>;

const branchSchema = z.looseObject({
  StartAt: z.string(),
  States: z.record(z.string(), stateSchema),
});
const groupSchema = z.object({ Branches: z.array(branchSchema) });
const tellingSchema = z.object({
  Arguments: z.object({ Payload: z.object({ plan: planSchema }) }),
});

/** Reads a definition, as JSON text. Throws for any other text. */
export function planInDefinition(text: string): OperationPlan {
  const machine = branchSchema.parse(JSON.parse(text));
  const telling = tellingSchema.safeParse(machine.States[machine.StartAt]);
  if (telling.success) return telling.data.Arguments.Payload.plan;
  // Only a saga that turns back records its failure. In other sagas, the names of the steps themselves may begin like
  // undos.
  const turnsBack = recordFailureState in machine.States;
  const isOfUndos = (state: string) => turnsBack && state.startsWith(undoName(""));
  return {
    nodes: wayThrough(machine, isOfUndos).map(nodeOf),
    undos: Object.keys(machine.States)
      .filter(isOfUndos)
      .map((name) => name.slice(undoName("").length)),
  };
}

/** The sequence of tasks and groups in an execution without failures. */
function wayThrough(
  { StartAt, States }: z.infer<typeof branchSchema>,
  isOfUndos: (state: string) => boolean,
): [string, State][] {
  const way: [string, State][] = [];
  let name: string | undefined = StartAt;
  while (name !== undefined) {
    const state: State | undefined = States[name];
    if (!state) throw new Error(`the definition has no state ${name}`);
    if (state.Type === "Task" || state.Type === "Parallel") way.push([name, state]);
    name = ledTo(state).find((next) => !isOfUndos(next));
  }
  return way;
}

/** The states that follow a state if it does not fail. */
const ledTo = ({ Next, Choices = [], Default }: State): string[] =>
  [Next, ...Choices.map((choice) => choice.Next), Default].filter((name) => name !== undefined);

function nodeOf([name, state]: [string, State]): PlanNode {
  if (state.Type === "Task") return name;
  const { Branches } = groupSchema.parse(state);
  const branches = Branches.map((branch, at) => ({
    name: String(at + 1),
    steps: wayThrough(branch, () => false).map(([step]) => step),
  }));
  return { name, branches };
}
