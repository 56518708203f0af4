import { readdirSync } from "node:fs";
import { join } from "node:path";
import { arnOf, type Stage } from "./stage.ts";

/** The committed state machines. SST runs the stack from the repository's root. */
export const definitions = join("statemachines", "generated");

export const sagaNames = (): string[] =>
  readdirSync(definitions)
    .flatMap((file) => /^(.+)\.asl\.json$/.exec(file)?.[1] ?? [])
    .sort();

/** The beginning of every state machine's ARN; a saga's name follows. */
export const machinesPrefix = (stage: Stage) =>
  arnOf(stage, "states", `stateMachine:${stage.prefix}-`);

export const machineArns = (stage: Stage) =>
  sagaNames().map((saga) => arnOf(stage, "states", `stateMachine:${stage.prefix}-${saga}`));

export const executionArns = (stage: Stage) =>
  sagaNames().map((saga) => arnOf(stage, "states", `execution:${stage.prefix}-${saga}:*`));

/** The alias through which executions are started, so that an earlier version can be restored. */
export const machineAlias = "live";
