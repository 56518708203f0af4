import type { Host } from "./model.ts";

/** The spec as the API shows it: how to log in to its controller is never answered. */
export const hostSpecShown = ({ spec: { bmc, ...spec } }: Pick<Host, "spec">) => ({
  ...spec,
  bmc: { address: bmc.address },
});

/** The status as the API shows it: of an agent, what says how it stands. */
export function hostStatusShown({
  spec,
  status: { agent, ...status },
}: Pick<Host, "spec" | "status">) {
  return {
    ...status,
    ...(spec.unschedulable ? { unschedulable: true } : {}),
    ...(agent ? { agent: agentShown(agent) } : {}),
  };
}

function agentShown({
  name,
  state,
  message,
  bound_to,
  gone,
}: NonNullable<Host["status"]["agent"]>) {
  return { name, state, message, bound_to, gone };
}
