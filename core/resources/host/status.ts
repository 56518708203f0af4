import { type Host, type HostState, type HostStatus, isUsable, type NamedOwner } from "./model.ts";

/** A host's status: what its hub says of its agent, and who holds it. Pure. */
export function hostStatus(host: Host, owner: NamedOwner | undefined): HostStatus {
  const { agent } = host.status;
  const state = stateOf(host, owner);
  const waits = state === "HOST_STATE_UNDISCOVERED" || state === "HOST_STATE_RECLAIMING";
  return {
    state,
    ...(agent ? { agent } : {}),
    ...(owner && { owner: storedOwner(owner) }),
    ...(waits && agent?.message ? { message: agent.message } : {}),
  };
}

const storedOwner = ({ role, ...owner }: NamedOwner): HostStatus["owner"] => ({
  ...owner,
  node_set: role,
});

/** The owner that a host's status names. */
export function ownerOf({ status }: Host): NamedOwner | undefined {
  if (!status.owner) return undefined;
  const { node_set: role, ...owner } = status.owner;
  return { ...owner, role };
}

/** Of an agent that has left its cluster and is not yet as it was before (docs/reference/hub.md §2.6). */
const reclaiming = /^(unbinding|reclaiming)/;

function stateOf(host: Host, owner: NamedOwner | undefined): HostState {
  const { agent } = host.status;
  if (agent && !agent.gone && reclaiming.test(agent.state)) return "HOST_STATE_RECLAIMING";
  if (owner) return "HOST_STATE_RESERVED";
  if (host.spec.unschedulable === true) return "HOST_STATE_UNSCHEDULABLE";
  if (!agent || agent.gone || agent.hub !== host.spec.hub) return "HOST_STATE_UNDISCOVERED";
  if (isUsable(host)) return "HOST_STATE_AVAILABLE";
  return agent.bound_to || agent.labelled_for ? "HOST_STATE_RECLAIMING" : "HOST_STATE_UNDISCOVERED";
}
