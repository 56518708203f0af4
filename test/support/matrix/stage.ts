import type { Failure } from "../../../core/kernel/object/failure.ts";
import type { OperationState } from "../../../core/kernel/saga/operation.ts";
import type { Sagas } from "../../../core/kernel/saga/settle.ts";
import type { Laptop, Stop } from "../laptop.ts";
import type { Outside } from "../outside.ts";
import type { RequestName } from "./arrivals.ts";

/** What the matrix must know of sagas and of their world, whatever the sagas change. */

/**
 * How a target is left: as the saga was to make it; as it was before; as a failed create that is held;
 * as a later wish has it; deleted.
 */
export type End = "done" | "undone" | "held" | "wished" | "gone";

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
  /** Orders another target, of the same shelf and site. */
  orderNeighbour(): Promise<Neighbour>;
  /** Starts the saga and answers the id of its target. */
  start(): Promise<string>;
  /** The last operation that was accepted for a target, or for any target. */
  newest(id?: string): Promise<Seen | undefined>;
  operation(id: string): Promise<Seen>;
  /** Asks for the stop of an operation; false if that was refused. */
  cancel(operation: string): Promise<boolean>;
  /** Has a stuck operation go on. */
  resume(operation: string): Promise<void>;
  /** Asks for the deletion of a target. */
  remove(id: string): Promise<void>;
  /** Asks for another change of the target; false if that was refused. */
  wish(id: string): Promise<boolean>;
  /** Asks once more for what has failed. */
  again(id: string): Promise<void>;
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

/** Another target, which is made while a case runs. */
export interface Neighbour {
  id: string;
  /** Runs until it is made, and expects that it is as it was ordered. */
  expectMade(): Promise<void>;
}

/** What stands between the parts of the world, for a case of the matrix. */
export interface StageOptions {
  sagas: Sagas;
  outside: Outside;
  invoke: (step: string, work: () => Promise<unknown>) => Promise<unknown>;
  /** Stands between machines and the site controller. */
  machines?: Outside;
  /** Whether what happens on hubs is reported at the moment. */
  hasNews?: () => boolean;
  /** What is to be stopped at the end; the test's own end unless told. */
  atEnd?: (stop: Stop) => void;
}

/** One thing that a saga may be asked for, and how it is brought to run. */
export interface Change {
  /** What fails is held for people to look at, and not undone. */
  holds?: true;
  /** It takes far longer than others. */
  isLarge?: true;
  /** Another saga begins by itself once this one has succeeded. */
  isFollowed?: true;
  /** Whether what has failed can be asked for once more; else why not. */
  again: true | string;
  /** Why not, where only the last step has failed. */
  notAfterLast?: string;
  /** Requests that it never meets, and why. */
  never?: { readonly [request in RequestName]?: string };
  open(options: StageOptions): Promise<Stage>;
}

/** The sagas of a registry, and by saga what each may be asked for; the plain change comes first. */
export interface Subject {
  sagas: Sagas;
  changes: Record<string, Record<string, Change>>;
}

/** A change of a saga; the plain one unless named. */
export function changeOf({ changes }: Subject, saga: string, name?: string): Change {
  const ofSaga = changes[saga] ?? {};
  const change = name === undefined ? Object.values(ofSaga)[0] : ofSaga[name];
  if (!change) throw new Error(`${saga} has no change ${name}`);
  return change;
}
