import * as z from "zod";
import { type OperationPlan, planOf, stepsIn } from "../core/kernel/saga/plan.ts";
import { planInDefinition } from "../core/kernel/saga/plan-in-definition.ts";
import { type Shape, undoName } from "../core/kernel/saga/saga.ts";
import type { Former } from "./former.ts";

/**
 * `steps.json` lists every step that a state machine ever had, by machine, since an execution by a former
 * definition may reach any of them. None is removed, renamed (removed and added) or moved without an entry that
 * says why running executions are safe.
 */

const why = z.string().min(20, "says why executions under way are safe");

export const stepListSchema = z.record(
  z.string(),
  z.strictObject({
    steps: z.array(z.string()),
    /** Steps whose code was removed. An execution that reaches one halts. */
    gone: z.record(z.string(), why).optional(),
    /** Steps whose order differs in former definitions. */
    moved: z.record(z.string(), why).optional(),
    /** Why it was safe to remove the machine with all its steps. */
    dropped: why.optional(),
  }),
);
export type StepList = z.infer<typeof stepListSchema>;

/** The names of the steps that call workers, and of the steps within phases. */
const namesIn = ({ nodes, undos }: OperationPlan): string[] => [
  ...nodes.flatMap((node) => (typeof node === "string" ? [node] : [node.name, ...stepsIn(node)])),
  ...undos.map(undoName),
];

const orderIn = ({ nodes }: OperationPlan): string[] => nodes.flatMap(stepsIn);

/** The list, extended by today's new steps. */
export function extended(list: StepList, sagas: Record<string, Shape>): StepList {
  const names = [...new Set([...Object.keys(list), ...Object.keys(sagas)])].sort();
  return Object.fromEntries(
    names.map((name) => {
      const { steps = [], ...entry } = list[name] ?? {};
      const today = sagas[name] ? namesIn(planOf(sagas[name].nodes)) : [];
      return [name, { steps: [...new Set([...steps, ...today])], ...entry }];
    }),
  );
}

/** The faults of the sagas: differences from the list and from earlier definitions. */
export function sagaFaultsOf(
  list: StepList,
  sagas: Record<string, Shape>,
  former: readonly Former[],
): string[] {
  return Object.entries(list).flatMap(([machine, { steps, gone = {}, moved = {}, dropped }]) => {
    const saga = sagas[machine];
    if (!saga)
      return dropped
        ? []
        : [`${machine} is gone: statemachines/retired.ts keeps it, or "dropped" says why not`];
    const plan = planOf(saga.nodes);
    const today = new Set(namesIn(plan));
    const removed = steps.filter((step) => !today.has(step) && gone[step] === undefined);
    const back = Object.keys(gone).filter((step) => today.has(step));
    const order = orderIn(plan);
    const places = former
      .filter((each) => each.machine === machine)
      .flatMap(({ name, text }) =>
        swapped(orderIn(planInDefinition(text)), order)
          .filter((pair) => pair.every((step) => moved[step] === undefined))
          .map(
            (pair) =>
              `${machine}: ${pair.join(" and ")} have changed places since ${name}; "moved" says why that is safe`,
          ),
      );
    return [
      ...removed.map(
        (step) =>
          `${machine}: the step ${step} was removed or renamed; "gone" says why that is safe`,
      ),
      ...back.map((step) => `${machine}: the step ${step} is not gone`),
      ...new Set(places),
    ];
  });
}

/** Neighbouring steps of one order that have the opposite order in another. */
function swapped(before: string[], after: string[]): [string, string][] {
  const both = before.filter((step) => after.includes(step));
  return both.flatMap((first, at) =>
    both
      .slice(at + 1)
      .filter((second) => after.indexOf(second) < after.indexOf(first))
      .map((second): [string, string] => [first, second]),
  );
}
