import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Integrations } from "../../../local/workflow/branch.ts";
import { WorkflowEngine } from "../../../local/workflow/engine.ts";
import type { Execution } from "../../../local/workflow/executions.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";
import { machine, type States } from "./machine.ts";

export interface World {
  clock: VirtualClock;
  engine: WorkflowEngine;
  /** Starts the states as a machine of their own. */
  start(states: States, input?: unknown): Execution;
  /** Starts them, moves the clock until they have ended, and gives the ended execution. */
  run(states: States, input?: unknown): Promise<Ended>;
  /** The types of an execution's events. */
  types(arn: string): string[];
}

interface Ended extends Execution {
  result: unknown;
}

interface WorldOptions {
  integrations?: Integrations;
  database?: string;
  clock?: VirtualClock;
  random?: () => number;
}

/** An engine on a virtual clock; it is closed when the test is over. */
export function world(options: WorldOptions = {}): World {
  const { integrations = {}, database = ":memory:", random } = options;
  const clock = options.clock ?? new VirtualClock();
  const engine = new WorkflowEngine({
    database,
    clock,
    integrations,
    ...(random && { random }),
  });
  onTestFinished(() => engine.close());
  let machines = 0;
  const start = (states: States, input: unknown = {}) => {
    machines += 1;
    engine.createStateMachine(`machine-${machines}`, machine(states));
    return engine.startExecution(`machine-${machines}`, undefined, JSON.stringify(input));
  };
  return {
    clock,
    engine,
    start,
    run: async (states, input) => {
      const { arn } = start(states, input);
      const ended = await clock.until(engine.settled(arn));
      return { ...ended, result: ended.output === null ? undefined : JSON.parse(ended.output) };
    },
    types: (arn) => engine.history(arn).map((event) => event.type),
  };
}

/** A file for a database, gone after the test. */
export function databaseFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "workflow-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "workflow.sqlite");
}

/** An error whose name Retry and Catch see. */
export function named(name: string, message = "no luck"): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}
