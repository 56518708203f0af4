import type { Absence } from "../../ports/hub/absence.ts";

/** A host can lack its agent. */
export const absence: Absence<"host"> = {
  isMissing: ({ status: { agent } }, seen) =>
    agent?.gone === false && !seen.has(`Agent/${agent.name}`),
  marked(host, _, before) {
    const { agent } = host.status;
    const known = before.status.agent;
    const isSame =
      agent?.name === known?.name && agent?.resource_version === known?.resource_version;
    if (!agent || !isSame) return undefined;
    return { ...host, status: { ...host.status, agent: { ...agent, gone: true } } };
  },
};
