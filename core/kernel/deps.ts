import type { Clock } from "../clock.ts";
import type { NewId, OperationId } from "../id.ts";
import type { Log } from "../log.ts";
import type { Bus } from "./events/events.ts";
import type { WatchLimits } from "./events/watch-slots.ts";
import type { Kinds } from "./object/kind.ts";
import type { Operated } from "./saga/operated.ts";
import type { Workflow } from "./saga/workflow.ts";
import type { Store } from "./store/store.ts";

/**
 * Everything that the product uses of the outside world. The composition of each function or
 * process makes one and passes it on. Here is what the kernel uses; a port adds its own member from
 * its folder, so that the kernel knows none of them.
 */
export interface Deps {
  /** For deadlines, waits, rests and timestamps; scaled in local mode. */
  clock: Clock;
  /** For leases and timeouts of calls. */
  wall: Clock;
  /** Answers 0 ≤ n < 1. */
  random: () => number;
  newId: NewId;
  store: Store;
  /** What is known of every kind of object. */
  kinds: Kinds;
  /** What kinds say of the operations that change their objects. */
  operated: Operated;
  workflow: Workflow;
  bus: Bus;
  looks: Looks;
  log: Log;
  /** Who can be a tenant: anybody with their first object, or those who are registered; `first-use` by default. */
  tenants?: "first-use" | "registered";
  /** How many requests may wait for events at a time; no limit by default. */
  watchLimits?: WatchLimits;
  /**
   * The longest run of a worker invocation, in real milliseconds; a lease is this plus a margin.
   */
  workerTimeout: number;
}

/** Asks a worker that reaches the system to recheck a step that waits. */
export interface Looks {
  look(operation: OperationId, step: string): Promise<void>;
}
