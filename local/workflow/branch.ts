import type { Clock } from "../../core/clock.ts";
import type { Json } from "../../core/kernel/store/store.ts";
import type { Scope } from "./asl.ts";
import type { Journal, Trail } from "./journal.ts";
import type { Tokens } from "./tokens.ts";

/**
 * Calls a service, which a Task state's `Resource` names. The signal is aborted when the engine closes;
 * a task that times out or is stopped does not end the call, just as on AWS.
 */
type Integration = (args: Json, signal: AbortSignal) => Promise<unknown>;
export type Integrations = Readonly<Record<string, Integration>>;

/** Shared by all branches of one execution. */
export interface Run {
  execution: string;
  journal: Journal;
  tokens: Tokens;
  clock: Clock;
  random: () => number;
  integrations: Integrations;
  /** Aborted when the engine closes. */
  closing: AbortSignal;
  /** Runs a scope's states from its first one; resolves with the output of its last one. */
  runScope: (scope: Scope, branch: Branch, input: Json) => Promise<Json>;
}

/** One thread of control in an execution: the execution itself, a Parallel's branch, a Map's iteration. */
export interface Branch {
  run: Run;
  /** The prefix of all journal keys of the branch. */
  path: string;
  trail: Trail;
  /** Aborted, with an `Interrupt`, when the branch must end early. */
  signal: AbortSignal;
  /** `$states.context`, without the parts of a single state. */
  context: { [member: string]: Json };
  /** Variables that outer scopes have assigned; those of the branch are added, and end with it. */
  variables: Readonly<Record<string, Json>>;
}
