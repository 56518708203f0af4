import type { Arns } from "../../core/ports/workflow/step-functions/arns.ts";

/** Executions are started through the alias, but are found under the machine's own ARN. */
export const machines = (env: { STATE_MACHINES: string; STATE_MACHINE_ALIAS: string }): Arns => ({
  stateMachine: (saga) => `${env.STATE_MACHINES}${saga}:${env.STATE_MACHINE_ALIAS}`,
  ...executions(env),
});

export function executions(env: { STATE_MACHINES: string }): Pick<Arns, "execution"> {
  const prefix = env.STATE_MACHINES.replace(":stateMachine:", ":execution:");
  return { execution: (saga, name) => `${prefix}${saga}:${name}` };
}
