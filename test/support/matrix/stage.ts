import type { Failure } from "../../../core/kernel/object/failure.ts";
import type { OperationState } from "../../../core/kernel/saga/operation.ts";
import { type Shape, stepsOf } from "../../../core/kernel/saga/saga.ts";
import type { Sagas } from "../../../core/kernel/saga/settle.ts";
import type { Laptop, Stop } from "../laptop.ts";
import type { Outside } from "../outside.ts";
import type { Sort } from "./share.ts";

/** What the matrix must know of a saga and of its world, whatever the saga changes. */

/** How a target is left: as the saga was to make it, as it was before, or deleted. */
export type End = "done" | "undone" | "gone";

/** An operation, as the owner of its target sees it. */
export interface Seen {
  id: string;
  state: OperationState;
  failure?: Failure;
  /** The states of the steps by their names. */
  steps: Record<string, string>;
}

/** What a system outside does to a request. */
export type Fault =
  | { fault: "conflict" }
  /** The system does what is asked and ends before it has answered. */
  | { fault: "crash_after" }
  | { fault: "error"; status: number };

/** A world in which nothing is left to do but to start a saga. */
export interface Stage {
  laptop: Laptop;
  /** Starts the saga and answers the id of its target. */
  start(): Promise<string>;
  /** The last operation that was accepted for a target, or for any target. */
  newest(id?: string): Promise<Seen | undefined>;
  /** Asks for the stop of an operation; false if that was refused. */
  cancel(operation: string): Promise<boolean>;
  /** Has a stuck operation go on. */
  resume(operation: string): Promise<void>;
  /** Asks for the deletion of a target. */
  remove(id: string): Promise<void>;
  /** Sends a request on to a system outside, which treats it so. */
  withFault(fault: Fault, request: Request, send: () => Promise<Response>): Promise<Response>;
  /** What is lost, left behind or counted wrongly; nothing if all is in order. */
  wrong(id: string, end: End): Promise<string[]>;
  /**
   * Puts the stage aside as it is at this moment, and answers how others go on from there, as after a crash.
   * Absent where a stage is had as fast from the start.
   */
  putAside?(): (options: StageOptions) => Promise<Stage>;
  /** Expects that a target is as it should be, here and outside. */
  expectEnd(id: string, end: End): Promise<void>;
}

/** What stands between the parts of the world, for a case of the matrix. */
export interface StageOptions {
  sagas: Sagas;
  outside?: Outside;
  invoke?: (step: string, work: () => Promise<unknown>) => Promise<unknown>;
  /** What is to be stopped at the end; the test's own end unless told. */
  atEnd?: (stop: Stop) => void;
}

/** How one saga is brought to run. */
export interface Scenario {
  /** The name of the saga; the scenario's own unless given. */
  saga?: string;
  /** States that change nothing outside in this scenario, while they may in others. */
  quiet?: string[];
  open(options: StageOptions): Promise<Stage>;
}

/** The sagas of a registry, and the scenarios that bring them to run. */
export interface Subject {
  sagas: Sagas;
  scenarios: Record<string, Scenario>;
}

/** One scenario of a subject, and its saga. */
export function scenarioOf({ sagas, scenarios }: Subject, name: string) {
  const scenario = scenarios[name];
  const saga = sagas[scenario?.saga ?? name];
  if (!saga || !scenario) throw new Error(`the matrix has no scenario for ${name}`);
  return {
    scenario,
    saga,
    stateOf: (state: string) => ({ name: state, sorts: sortsOf(saga, state) }),
  };
}

/** A saga that can turn back is stopped after each of its steps but the last. */
function sortsOf(saga: Shape, state: string): readonly Sort[] {
  const stops = saga.irreversible ? [] : stepsOf(saga.nodes).slice(0, -1);
  const isStopped = stops.some(({ name }) => name === state);
  return isStopped ? ["inside", "outside", "stop"] : ["inside", "outside"];
}
