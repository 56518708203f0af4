import type { Absence } from "../../ports/hub/absence.ts";

/**
 * The absence of a host's agent. An agent that reports other MAC addresses than before is no longer the host's.
 */
export const absence: Absence<"host"> = {
  isMissing({ spec, status: { agent } }, seen) {
    if (agent?.gone !== false) return false;
    const macs = seen.get(`Agent/${agent.name}`);
    if (!macs) return true;
    return macs.length > 0 && !spec.nics.some(({ mac }) => macs.includes(mac));
  },
  marked(host, _, before) {
    const { agent } = host.status;
    const known = before.status.agent;
    const isSame =
      agent?.name === known?.name && agent?.resource_version === known?.resource_version;
    if (!agent || !isSame) return undefined;
    return { ...host, status: { ...host.status, agent: { ...agent, gone: true } } };
  },
};
