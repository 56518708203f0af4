import { hours } from "../../clock.ts";
import { AppError } from "../../error.ts";
import { newEntry } from "./entry.ts";
import type { Operation } from "./operation.ts";
import { type OperationPlan, type PlanNode, type Rows, stepsIn } from "./plan.ts";
import {
  type ActionShape,
  isParallel,
  isPhase,
  type Node,
  type SagaOf,
  type Step,
  stepsOf,
  stuckState,
  undoName,
} from "./saga.ts";

/** A saga as it was when an operation began: with the steps of the operation's plan, and today's code. */

/**
 * The saga with the steps of an operation's plan and today's code. If a step has no code in this version, the
 * operation halts there.
 */
export function sagaAsBegun<A extends ActionShape>(
  saga: SagaOf<A>,
  operation: Pick<Operation, "plan" | "steps">,
): SagaOf<A> {
  const plan = plannedIn(operation) ?? listedPlan(saga, operation);
  return plan ? withPlan(saga, plan) : saga;
}

/**
 * The operation with its plan, stored when it begins. It already lists the plan's steps; their structure is stored as a
 * short text, since every write of an operation is charged by its size. `+` is a step with an undo, `-` one without;
 * `[+-|+]` are branches, and `Name(--)` is a phase. Branches are stored without a name, since it means nothing.
 */
export function withPlanKept(operation: Operation, { nodes, undos }: OperationPlan): Operation {
  const undone = new Set(undos);
  const marks = (steps: string[]) => steps.map((step) => (undone.has(step) ? "+" : "-")).join("");
  const plan = nodes.map((node) => {
    if (typeof node === "string") return marks([node]);
    if ("steps" in node) return `${node.name}(${marks(node.steps)})`;
    return `[${node.branches.map(({ steps }) => marks(steps)).join("|")}]`;
  });
  const names = nodes.flatMap(stepsIn);
  const begun = Object.entries(operation.steps).filter(
    ([name, { state }]) => !names.includes(name) && state !== "PENDING",
  );
  const entries = [
    ...names.map((name) => [name, operation.steps[name] ?? newEntry(0)] as const),
    ...begun,
  ].map(([name, entry], position) => [name, { ...entry, position }]);
  return { ...operation, plan: plan.join(""), steps: Object.fromEntries(entries) };
}

/** The plan that an operation has stored. */
function plannedIn({ plan, steps }: Pick<Operation, "plan" | "steps">): OperationPlan | undefined {
  if (plan === undefined) return undefined;
  const names = namesByPosition(steps);
  const undos: string[] = [];
  const taken = (marks: string): string[] =>
    [...marks].map((mark) => {
      const name = names.shift() ?? "";
      if (mark === "+") undos.push(name);
      return name;
    });
  const nodes = [...plan.matchAll(/(\w*)(?:\(([+-]*)\)|\[([+|-]*)\]|[+-])/g)].map(
    ([mark, name = "", phase, branches]): PlanNode => {
      if (phase !== undefined) return { name, steps: taken(phase) };
      if (branches === undefined) return taken(mark)[0] ?? "";
      const rows = branches
        .split("|")
        .map((marks, at) => ({ name: `${at + 1}`, steps: taken(marks) }));
      return { name, branches: rows };
    },
  );
  return { nodes, undos };
}

const namesByPosition = (steps: Operation["steps"]): string[] =>
  Object.entries(steps)
    .toSorted(([, a], [, b]) => a.position - b.position)
    .map(([name]) => name);

/** The saga with the steps of a plan. */
export function withPlan<A extends ActionShape>(saga: SagaOf<A>, plan: OperationPlan): SagaOf<A> {
  const known = new Map(stepsOf(saga.nodes).map((row) => [row.name, row]));
  const undos = new Set(plan.undos);
  const row = (name: string): Step<A> => {
    const { do: forward, undo } = known.get(name) ?? {};
    return {
      name,
      do: forward ?? gone<A>(saga, name),
      ...(undos.has(name) && { undo: undo ?? gone<A>(saga, undoName(name)) }),
    };
  };
  const rows = ({ name, steps }: Rows) => ({
    name,
    steps: steps.map(row),
  });
  const nodes = plan.nodes.map((node): Node<A> => {
    if (typeof node === "string") return phaseOf(saga, node) ?? row(node);
    return "branches" in node ? { name: node.name, branches: node.branches.map(rows) } : rows(node);
  });
  return { ...saga, nodes };
}

/** If a definition does not list the steps of a phase, today's steps are used. */
const phaseOf = <A extends ActionShape>({ nodes }: SagaOf<A>, name: string) =>
  nodes.find((node) => isPhase(node) && node.name === name);

/**
 * The plan of an operation that began before plans were stored: its listed steps, grouped as in today's table.
 * Undefined for an operation that has not begun.
 */
function listedPlan<A extends ActionShape>(
  saga: SagaOf<A>,
  { steps: entries }: Pick<Operation, "steps">,
): OperationPlan | undefined {
  const isForward = (name: string) =>
    name !== stuckState && (saga.irreversible === true || !name.startsWith(undoName("")));
  const listed = namesByPosition(entries).filter(isForward);
  if (listed.length === 0) return undefined;
  const groupOf = (step: string) =>
    saga.nodes.find(
      (node) =>
        (isParallel(node) || isPhase(node)) && stepsOf([node]).some(({ name }) => name === step),
    );
  const runs: { group: Node<A> | undefined; steps: string[] }[] = [];
  for (const step of listed) {
    const group = groupOf(step);
    const last = runs.at(-1);
    if (group && last?.group === group) last.steps.push(step);
    else runs.push({ group, steps: [step] });
  }
  const ofBranch = (steps: string[], names: Set<string>) => steps.filter((step) => names.has(step));
  const nodes = runs.flatMap(({ group, steps }): PlanNode[] => {
    if (!group) return steps;
    if (!isParallel(group)) return [{ name: group.name, steps }];
    const branches = group.branches.map((branch) => ({
      name: branch.name,
      steps: ofBranch(steps, new Set(branch.steps.map(({ name }) => name))),
    }));
    return [{ name: group.name, branches }];
  });
  const undos = stepsOf(saga.nodes).flatMap(({ name, undo }) => (undo ? [name] : []));
  return { nodes, undos: undos.filter((name) => listed.includes(name)) };
}

/** The error of a step that has no code in this version. The operation halts: no further do or undo runs. */
export class StepGone extends AppError {
  constructor(saga: string, step: string) {
    super(
      "Internal",
      `this version of Slipway has no step ${step}, which the operation began with; nothing was released: retry or delete`,
      { detail: `${saga} has no code for ${step}` },
    );
  }
}

/** Stands for the code of a step that has none. */
const gone = <A extends ActionShape>({ name }: SagaOf<A>, step: string): A => {
  const action: ActionShape & { act(): Promise<void> } = {
    deadline: hours(24),
    act: () => Promise.reject(new StepGone(name, step)),
  };
  // The other members of an action are optional.
  return action as ActionShape as A;
};
