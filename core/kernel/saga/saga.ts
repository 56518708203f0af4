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
 * Without an `until` a step is done once `act` is. An action that `looksLater` has no look after its act.
 */

/** The answer of a step's `until`: done, or the reason to wait. `until` throws a failure. */
export type Outcome = { done: true } | Pending;
export interface Pending {
  done: false;
  waitingFor: string;
  lookAgain?: number;
}

export const done: Outcome = { done: true };

/**
 * The answer of an `until` that is not done yet. `waitingFor` is for people. `lookAgain` (ms): read the world again
 * after this time, for changes that no report brings. With 0 the step looks as soon as its target changes, and after
 * ten seconds otherwise.
 */
export const pending = (waitingFor: string, lookAgain?: number): Pending => ({
  done: false,
  waitingFor,
  ...(lookAgain === undefined ? {} : { lookAgain }),
});

/**
 * The place of a worker: `core` reaches nothing but the store, `hub` reaches hubs and the systems on them, `site`
 * reaches the systems of a site. Each zone has a worker function of its own, with its own network, rights and limit.
 */
export const zones = ["core", "hub", "site"] as const;
export type Zone = (typeof zones)[number];

/** The system that a step works on and waits for. People read its name; its zone decides where the step runs. */
export interface System {
  name: string;
  zone: Zone;
}

/** A step without a system needs nothing but the store. */
export const zoneOfAction = ({ system }: ActionShape): Zone => system?.zone ?? "core";

/** One direction of a step, without its code. */
export interface ActionShape {
  /** The longest time from the first attempt to the step's failure, in milliseconds. An outage extends it. */
  deadline: number;
  /** Usual time in milliseconds, for the estimate; about zero by default. */
  usually?: number;
  /** The system that the action works on and waits for; it decides the zone, and people read its name. */
  system?: System;
  /** For an undo: it releases claims of the order, so it runs even if its step never began. */
  fromOrder?: true;
}

/** A row of the table. `A` is `Action` where its code is at hand, else `ActionShape`. */
export interface Step<A extends ActionShape> {
  name: string;
  do: A;
  undo?: A;
}

/** Parallel branches; when one fails, the others settle first, then the saga turns back. */
export interface Parallel<A extends ActionShape> {
  name: string;
  branches: { name: string; steps: Step<A>[] }[];
}

/**
 * Consecutive steps that are one state, with one task whose token passes from step to step (`phase.ts`): a state costs
 * the same however much is done in it. Each step remains a row of the operation. Only a saga that cannot turn back has
 * phases.
 */
export interface Phase<A extends ActionShape> {
  name: string;
  steps: Step<A>[];
}

export type Node<A extends ActionShape> = Step<A> | Parallel<A> | Phase<A>;

/** A saga: `A` is `Action` where the code of its steps is at hand, else `ActionShape`. */
export interface SagaOf<A extends ActionShape> {
  name: string;
  comment: string;
  nodes: Node<A>[];
  /**
   * The saga cannot turn back: after a step fails for good, it waits for a person and then continues from
   * the start.
   */
  irreversible?: boolean;
}

/**
 * A saga without the code of its steps. Functions that settle, halt or sweep an operation need no more,
 * so their bundles carry no steps.
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

export const phase = <A extends ActionShape>(name: string, ...steps: Step<A>[]): Phase<A> => ({
  name,
  steps,
});

export const isParallel = <A extends ActionShape>(node: Node<A>): node is Parallel<A> =>
  "branches" in node;

export const isPhase = <A extends ActionShape>(node: Node<A>): node is Phase<A> => "steps" in node;

/** Every step in the order of the table, branches one after the other. */
export function stepsOf<A extends ActionShape>(nodes: Node<A>[]): Step<A>[] {
  return nodes.flatMap((node) => {
    if (isParallel(node)) return node.branches.flatMap(({ steps }) => steps);
    return isPhase(node) ? node.steps : [node];
  });
}

/** The table with each step replaced. */
export function mapSteps<A extends ActionShape, B extends ActionShape>(
  nodes: Node<A>[],
  to: (step: Step<A>) => Step<B>,
): Node<B>[] {
  const within = <N extends { steps: Step<A>[] }>(node: N) => ({
    ...node,
    steps: node.steps.map(to),
  });
  return nodes.map((node) => {
    if (isParallel(node)) return { ...node, branches: node.branches.map(within) };
    return isPhase(node) ? within(node) : to(node);
  });
}

/** A table without the code of its steps. */
export const shapeOf = <A extends ActionShape>(nodes: Node<A>[]): Node<ActionShape>[] =>
  mapSteps(nodes, rowShape);

const rowShape = <A extends ActionShape>({
  name,
  do: forward,
  undo,
}: Step<A>): Step<ActionShape> => ({
  name,
  do: actionShape(forward),
  ...(undo && { undo: actionShape(undo) }),
});

const actionShape = ({ deadline, usually, system, fromOrder }: ActionShape): ActionShape => ({
  deadline,
  ...(usually !== undefined && { usually }),
  ...(system && { system }),
  ...(fromOrder && { fromOrder }),
});

export const undoName = (step: string): string => `Undo ${step}`;

/** The steps of a table in reverse order, for the chain of undos. Steps without an undo are left out. */
export function backwards<A extends ActionShape>(nodes: Node<A>[]): Step<A>[] {
  return stepsOf(nodes)
    .toReversed()
    .flatMap((row) => (row.undo ? [{ name: undoName(row.name), do: row.undo }] : []));
}

/**
 * The error of an undo that other undos must precede: those of steps that only an earlier operation reached. The chain
 * is then run from its first undo.
 */
export const fromTheTop = "FromTheTop";

/**
 * How long after its first attempt a step may wait for an unreachable system, in milliseconds: the step's own deadline
 * is extended meanwhile.
 */
export const outageLimit = 24 * 3_600_000;

/** The longest pause between two failed tries, in milliseconds. */
export const longestPause = 300_000;

/**
 * How long a task of these steps may wait, in milliseconds; includes the longest outage, since that extends a step's
 * deadline.
 */
export const taskLimit = (actions: ActionShape[]): number =>
  actions.reduce((sum, { deadline }) => sum + Math.max(deadline, outageLimit), 0);

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
