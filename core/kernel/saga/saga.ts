/**
 * A saga: a table of steps, do beside undo. `asl.ts` turns it into a state machine, `step.ts` runs
 * one step of it. Do and undo are idempotent: each may be run again after any crash, and an undo
 * may meet a do that never happened.
 *
 *     a task begins        act → look → until      done: the task's token is answered
 *                                                  not yet: WAITING is written, then until once more
 *     a report came in                  until      in the observer, from the store alone
 *     look_at has come,          look → until      in a worker, without another act
 *       or capacity freed
 *     it was Unavailable   act → look → until      Step Functions calls again; a WAITING step keeps waiting
 *
 * Without an `until` a step is done once `act` is.
 */

/** What a look at the record says: done, or what it still waits for. A failure is thrown. */
export type Outcome = { done: true } | Pending;
export interface Pending {
  done: false;
  waitingFor: string;
  lookAgain?: number;
}

export const done: Outcome = { done: true };

/**
 * Not yet. `waitingFor` is read by people. `lookAgain` (ms): look at the world again after this
 * long, for what gives no news of its own.
 */
export const pending = (waitingFor: string, lookAgain?: number): Pending => ({
  done: false,
  waitingFor,
  ...(lookAgain === undefined ? {} : { lookAgain }),
});

/**
 * Where a worker runs, by what it is there for: nothing but the store; hubs and what runs on them;
 * what a site has. Each zone has a worker function of its own, with its own network,
 * rights and limit.
 */
export const zones = ["core", "hub", "site"] as const;
export type Zone = (typeof zones)[number];

/** What a step works on and waits for: its name is told to people, its zone says where the step runs. */
export interface System {
  name: string;
  zone: Zone;
}

/** A step without a system needs nothing but the store. */
export const zoneOfAction = ({ system }: ActionShape): Zone => system?.zone ?? "core";

/** What is known of one direction of a step without the code that does it. */
export interface ActionShape {
  /** Milliseconds from its first attempt; passed, it fails. An outage does not use it up. */
  deadline: number;
  /** Milliseconds it takes when all goes well, for the estimate; next to nothing unless given. */
  usually?: number;
  /** What it works on and waits for; says where it runs, and is told to people. */
  system?: System;
}

/** A row of the table. `A` is `Action` where its code is at hand, else `ActionShape`. */
export interface Step<A extends ActionShape> {
  name: string;
  do: A;
  undo?: A;
}

/** Branches that run side by side; a failed one lets the others settle, then everything unwinds. */
export interface Parallel<A extends ActionShape> {
  name: string;
  branches: { name: string; steps: Step<A>[] }[];
}

export type Node<A extends ActionShape> = Step<A> | Parallel<A>;

/** A saga: `A` is `Action` where the code of its steps is at hand, else `ActionShape`. */
export interface SagaOf<A extends ActionShape> {
  name: string;
  comment: string;
  nodes: Node<A>[];
  /** Cannot turn back: what fails for good waits for a person and goes on from the start. */
  irreversible?: boolean;
}

/**
 * Who settles, halts or sweeps an operation needs a saga's shape alone: the functions that do so carry
 * no step's code.
 */
export type Shape = SagaOf<ActionShape>;

/** One row of a saga's table. A step without an undo says why it needs none. */
export function step<F extends ActionShape, U extends ActionShape = F>(
  name: string,
  forward: F,
  undo: U | { none: string },
): Step<F | U> {
  return "none" in undo ? { name, do: forward } : { name, do: forward, undo };
}

export const isParallel = <A extends ActionShape>(node: Node<A>): node is Parallel<A> =>
  "branches" in node;

/** Every step in the order of the table, branches one after the other. */
export function stepsOf<A extends ActionShape>(nodes: Node<A>[]): Step<A>[] {
  return nodes.flatMap((node) =>
    isParallel(node) ? node.branches.flatMap((branch) => branch.steps) : [node],
  );
}

/** A table without the code of its steps. */
export function shapeOf<A extends ActionShape>(nodes: Node<A>[]): Node<ActionShape>[] {
  return nodes.map((node) =>
    isParallel(node)
      ? {
          ...node,
          branches: node.branches.map(({ name, steps }) => ({ name, steps: steps.map(rowShape) })),
        }
      : rowShape(node),
  );
}

const rowShape = <A extends ActionShape>({
  name,
  do: forward,
  undo,
}: Step<A>): Step<ActionShape> => ({
  name,
  do: actionShape(forward),
  ...(undo && { undo: actionShape(undo) }),
});

const actionShape = ({ deadline, usually, system }: ActionShape): ActionShape => ({
  deadline,
  ...(usually !== undefined && { usually }),
  ...(system && { system }),
});

export const undoName = (step: string): string => `Undo ${step}`;

/** The same table walked backwards, so that each undo is written once. Steps without one drop out. */
export function backwards<A extends ActionShape>(nodes: Node<A>[]): Step<A>[] {
  return stepsOf(nodes)
    .toReversed()
    .flatMap((row) => (row.undo ? [{ name: undoName(row.name), do: row.undo }] : []));
}

/**
 * How long after its first attempt a step may wait for a system that cannot be reached, in
 * milliseconds: meanwhile its own deadline stands still.
 */
export const outageLimit = 24 * 3_600_000;

/** The kernel's own states, beside the steps of a saga. */
export const stuckState = "Stuck";
export const recordFailureState = "RecordFailure";

/** Every task of a saga's state machine, by state name. */
export function actionsOf<A extends ActionShape>(
  saga: SagaOf<A>,
): Map<string, { action: A; undo: boolean }> {
  const actions = new Map<string, { action: A; undo: boolean }>();
  for (const row of stepsOf(saga.nodes)) {
    actions.set(row.name, { action: row.do, undo: false });
    if (row.undo) actions.set(undoName(row.name), { action: row.undo, undo: true });
  }
  return actions;
}
