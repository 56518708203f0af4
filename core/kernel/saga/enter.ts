import { timestamp } from "../../clock.ts";
import type { Deps } from "../deps.ts";
import { newEntry, withoutSpentTokens } from "./entry.ts";
import type { Operation } from "./operation.ts";
import { isParallel, type Shape, stepsOf } from "./saga.ts";

/** The operation when a step is entered: it runs, lists all its steps, and has dropped spent tokens. */
export function enter(deps: Deps, saga: Shape, before: Operation, step: string): Operation {
  const listed = Object.fromEntries(
    stepsOf(saga.nodes).map((row, position) => [row.name, newEntry(position)]),
  );
  const beside = new Set(siblingsOf(saga, step));
  const now = deps.clock.now();
  // A retry does not extend the estimate: the estimate of the first try stays, and the operation counts as late.
  const isBegun = before.steps[step]?.start_time !== undefined && before.estimate !== undefined;
  const operation: Operation = {
    ...before,
    steps: { ...listed, ...before.steps },
    ...(!isBegun && { estimate: timestamp(now + usualRest(saga, step)) }),
    usually: before.usually ?? usualRest(saga, step),
    status: {
      ...before.status,
      state: "RUNNING",
      start_time: before.status.start_time ?? timestamp(now),
    },
  };
  return withoutSpentTokens(operation, (name) => !beside.has(name));
}

/** The steps of the sibling branches of this step's branch. */
function siblingsOf(saga: Shape, step: string): string[] {
  const branchesOf = saga.nodes.map((node) => (isParallel(node) ? node.branches : []));
  const isHere = ({ steps }: { steps: { name: string }[] }) =>
    steps.some(({ name }) => name === step);
  return branchesOf
    .filter((branches) => branches.some(isHere))
    .flatMap((branches) => branches.filter((branch) => !isHere(branch)))
    .flatMap(({ steps }) => steps.map(({ name }) => name));
}

/** The usual time of this step and those after it, in milliseconds; times of parallel branches are added up. */
function usualRest(saga: Shape, step: string): number {
  const rows = stepsOf(saga.nodes);
  const from = rows.findIndex((row) => row.name === step);
  return from < 0 ? 0 : rows.slice(from).reduce((sum, row) => sum + (row.do.usually ?? 0), 0);
}
