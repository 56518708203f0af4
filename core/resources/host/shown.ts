import type { Host } from "./model.ts";

/** The spec in the form of the API, which never answers the credentials of the controller. */
export const hostSpecShown = ({ spec: { bmc, ...spec } }: Pick<Host, "spec">) => ({
  ...spec,
  bmc: { address: bmc.address },
});

/** The status in the form of the API: of the agent, only the members that tell its state. */
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
