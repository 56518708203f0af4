import type { Clock } from "../clock.ts";
import type { NewId } from "../id.ts";
import type { Log } from "../log.ts";

/**
 * What every function has. The composition of each function makes one `Deps`, with the ports that it reaches, and passes
 * it on. Each folder adds its own member (the store, the kinds), so that no file has to know all of them. What only some
 * functions reach is in the types that extend this one: `RequestDeps`, `SettleDeps`, `StepDeps`, `Relaying` and others.
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
}
