import { type ActionShape, isParallel, isPhase, type Node, type Step, stepsOf } from "./saga.ts";

/**
 * The plan of an operation: the steps of the state machine's definition that its execution began with. A deployment
 * changes the code of steps under a running execution, but not its definition. So the operation stores the plan when it
 * begins, and all code that needs the steps, their order or the last one uses the saga as the operation began it, not
 * the table of today.
 */
export interface OperationPlan {
  nodes: PlanNode[];
  /** The steps that have an undo in the definition. */
  undos: string[];
}

/** A step by its name; the steps of a phase; or parallel branches. */
export type PlanNode = string | Rows | { name: string; branches: Rows[] };
export interface Rows {
  name: string;
  steps: string[];
}

/** The plan of a saga's table. */
export function planOf<A extends ActionShape>(nodes: Node<A>[]): OperationPlan {
  const names = ({ name, steps }: { name: string; steps: Step<A>[] }): Rows => ({
    name,
    steps: steps.map((step) => step.name),
  });
  return {
    nodes: nodes.map((node) => {
      if (isParallel(node)) return { name: node.name, branches: node.branches.map(names) };
      return isPhase(node) ? names(node) : node.name;
    }),
    undos: stepsOf(nodes).flatMap(({ name, undo }) => (undo ? [name] : [])),
  };
}

/** The names of a node's steps. */
export const stepsIn = (node: PlanNode): string[] => {
  if (typeof node === "string") return [node];
  return "branches" in node ? node.branches.flatMap(({ steps }) => steps) : node.steps;
};
