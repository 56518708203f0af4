/**
 * A saga: a table of steps, do beside undo. `asl.ts` turns it into a state machine, `step.ts` runs
 * one step of it. Do and undo are idempotent: each may be run again after any crash, and an undo
 * may meet a do that never happened.
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
 * Where a worker runs, by what it is there for: nothing but the store; hubs and their hosted
 * clusters; what a site has. Each zone has a worker function of its own, with its own network,
 * rights and limit.
 */
export const zones = ["core", "hub", "site"] as const;
export type Zone = (typeof zones)[number];

/** The systems that steps work on, by the names that people read, with their zones. */
const zoneOfSystem = {
  placement: "core",
  hub: "hub",
  "hosted cluster": "hub",
  fabric: "site",
  DNS: "site",
  storage: "site",
} as const satisfies Record<string, Zone>;
export type System = keyof typeof zoneOfSystem;

/** A step without a system needs nothing but the store. */
export const zoneOfAction = ({ system }: { system?: System }): Zone =>
  system === undefined ? "core" : zoneOfSystem[system];

/** One direction of a step. `C` is what the kernel hands to every step. */
export interface Action<C> {
  /** Makes it so. Throws an AppError; `Unavailable` is tried again until the deadline. */
  act?: (context: C) => Promise<void>;
  /** Reads the world and writes what it saw, for what news may have missed. */
  look?: (context: C) => Promise<void>;
  /** Decides from the store alone whether it is so; also asked whenever news has come in. */
  until?: (context: C) => Promise<Outcome>;
  /** Milliseconds from its first attempt; passed, it fails. An outage does not use it up. */
  deadline: number;
  /** Milliseconds it takes when all goes well, for the estimate; next to nothing unless given. */
  usually?: number;
  /** What it works on and waits for; says where it runs, and is told to people. */
  system?: System;
}

export interface Step<C> {
  name: string;
  do: Action<C>;
  undo?: Action<C>;
}

/** Branches that run side by side; a failed one lets the others settle, then everything unwinds. */
export interface Parallel<C> {
  name: string;
  branches: { name: string; steps: Step<C>[] }[];
}

export type Node<C> = Step<C> | Parallel<C>;

export interface Saga<C, Target> {
  name: string;
  comment: string;
  nodes: Node<C>[];
  /** Cannot turn back: what fails for good waits for a person and goes on from the start. */
  irreversible?: boolean;
  ended: Ended<Target>;
}

/** What the end of an operation means for its target; pure, in the write that ends the operation. */
export interface Ended<Target> {
  /** `archive`: the target is gone. */
  succeeded: (target: Target) => Target | "archive";
  failed: (
    target: Target,
    failure: { step: string; kind: string; message: string },
    cancelled: boolean,
  ) => Target;
}

/** One row of a saga's table. A step without an undo says why it needs none. */
export function step<C>(
  name: string,
  forward: Action<C>,
  undo: Action<C> | { none: string },
): Step<C> {
  return "none" in undo ? { name, do: forward } : { name, do: forward, undo };
}

export const isParallel = <C>(node: Node<C>): node is Parallel<C> => "branches" in node;

/** Every step in the order of the table, branches one after the other. */
export function stepsOf<C>(nodes: Node<C>[]): Step<C>[] {
  return nodes.flatMap((node) =>
    isParallel(node) ? node.branches.flatMap((branch) => branch.steps) : [node],
  );
}

export const undoName = (step: string): string => `Undo ${step}`;

/** The same table walked backwards, so that each undo is written once. Steps without one drop out. */
export function backwards<C>(nodes: Node<C>[]): Step<C>[] {
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
export function actionsOf<C, Target>(
  saga: Saga<C, Target>,
): Map<string, { action: Action<C>; undo: boolean }> {
  const actions = new Map<string, { action: Action<C>; undo: boolean }>();
  for (const row of stepsOf(saga.nodes)) {
    actions.set(row.name, { action: row.do, undo: false });
    if (row.undo) actions.set(undoName(row.name), { action: row.undo, undo: true });
  }
  return actions;
}
