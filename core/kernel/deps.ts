import type { Clock } from "../clock.ts";
import type { NewId } from "../id.ts";
import type { Log } from "../log.ts";

/**
 * The product's dependencies on the outside world. The composition of each function or process makes one `Deps` and
 * passes it on. Each folder adds its own member (the store, the workflow engine, each port), so that no file has to
 * know all of them.
 */
export interface Deps {
  /** For deadlines, waits, rests and timestamps; accelerated in local mode. */
  clock: Clock;
  /** For leases and timeouts of calls. */
  wall: Clock;
  /** Answers 0 ≤ n < 1. */
  random: () => number;
  newId: NewId;
  log: Log;
  /** Whether a tenant is created with its first object, or has to be registered; `first-use` by default. */
  tenants?: "first-use" | "registered";
  /** The longest run of a worker invocation, in real milliseconds; leases last a little longer. */
  workerTimeout: number;
}
