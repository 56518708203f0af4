import { readdirSync } from "node:fs";
import { join } from "node:path";
import { arnOf, type Stage } from "./stage.ts";

/** The committed state machines. SST runs the stack from the repository's root. */
export const definitions = join("statemachines", "generated");

export const sagaNames = (): string[] =>
  readdirSync(definitions)
    .flatMap((file) => /^(.+)\.asl\.json$/.exec(file)?.[1] ?? [])
    .sort();

/** The prefix of every state machine's ARN; a saga's name follows. */
export const machinesPrefix = (stage: Stage) =>
  arnOf(stage, "states", `stateMachine:${stage.prefix}-`);

/** The sagas in rights, by the first word of their names, since a role's policies are too small for all names. */
const families = (): string[] => [
  ...new Set(sagaNames().map((saga) => `${saga.split("-")[0] ?? saga}-*`)),
];

export const machineArns = (stage: Stage) =>
  families().map((family) => arnOf(stage, "states", `stateMachine:${stage.prefix}-${family}`));

export const executionArns = (stage: Stage) =>
  families().map((family) => arnOf(stage, "states", `execution:${stage.prefix}-${family}:*`));

/** The alias through which executions are started, so that an earlier version can be restored. */
export const machineAlias = "live";
