import type { Arns } from "../../core/ports/workflow/step-functions/arns.ts";

/** Executions start through the alias; they are found under the machine's own ARN. */
export function machines(env: { STATE_MACHINES: string; STATE_MACHINE_ALIAS: string }): Arns {
  const executions = env.STATE_MACHINES.replace(":stateMachine:", ":execution:");
  return {
    stateMachine: (saga) => `${env.STATE_MACHINES}${saga}:${env.STATE_MACHINE_ALIAS}`,
    execution: (saga, name) => `${executions}${saga}:${name}`,
  };
}
