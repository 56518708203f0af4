import type { ObjectOf } from "../kernel/object/object-of.ts";
import type { PlacedKind } from "../kernel/object/traits.ts";
import type { Json } from "../kernel/store/store.ts";

/** What placement makes of a host: who may have it, who has it, and how it stands. Pure. */

/** A host, as it is stored. */
export type Host = ObjectOf["host"];
type HostStatus = Host["status"];
type HostState = HostStatus["state"];
type Agent = NonNullable<HostStatus["agent"]>;

/** Who holds a host. */
export interface HostOwner {
  kind: PlacedKind;
  id: string;
}

/** As people are told of it. */
export interface NamedOwner extends HostOwner {
  tenant: string;
  name?: string;
  /** What the host is there for: the set that it is in. */
  role: string;
}

/** The kind of a host's owner as it was written down: from before other kinds could own one, it was not. */
export const ownerKindOf = (stored: Json | undefined): PlacedKind =>
  typeof stored === "string" ? (stored as PlacedKind) : "cluster";

/** An agent that a new cluster can take: discovered, valid, bound to nothing (docs/reference/hub.md §2.6). */
export function isReclaimed(
  agent: Pick<Agent, "gone" | "state" | "bound_to"> | undefined,
): boolean {
  return (
    agent !== undefined && !agent.gone && agent.state === "known-unbound" && agent.bound_to === ""
  );
}

/**
 * May be given to a new cluster: the hub it is cabled to says that its agent can be taken and is
 * labelled for nobody, and it is not in maintenance.
 */
export function isUsable({ spec, status: { agent } }: Host): boolean {
  return (
    spec.unschedulable !== true &&
    agent?.hub === spec.hub &&
    agent.labelled_for === "" &&
    isReclaimed(agent)
  );
}

/** May leave its cluster: reclaimed, or there is no agent (any more) that could be. */
export function mayLeave({ status: { agent } }: Host): boolean {
  return isReclaimed(agent) || agent?.gone !== false;
}

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
