import { timestamp, timeText } from "../../clock.ts";
import { conditionsOfTrouble, type Finding, withTrouble } from "../../kernel/object/condition.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import type { PlacedKind } from "../../kernel/object/traits.ts";
import { namesService } from "../../ports/bare-metal/address.ts";
import { silentDpu, silentDpus } from "./silent-dpu.ts";

/** Placement's rules about a host: who may claim it, who holds it, and its state. Pure. */

/** A stored host. */
export type Host = ObjectOf["host"];
type HostStatus = Host["status"];
type HostState = HostStatus["state"];
type HostConditionType = NonNullable<HostStatus["conditions"]>[number]["type"];
type Agent = NonNullable<HostStatus["agent"]>;

/** How hosts of one claim are placed: all in one rack, or each in a rack of its own. */
export const racksAsked = ["same", "spread"] as const;
export type Racks = (typeof racksAsked)[number];

/** The holder of a host. */
export interface HostOwner {
  kind: PlacedKind;
  id: string;
}

/** The holder of a host, with its name for people. */
export interface NamedOwner extends HostOwner {
  tenant: string;
  name?: string;
  /** The set of the host. */
  role: string;
}

/**
 * Whether an agent can join a new cluster: it is discovered, valid and not bound (docs/reference/hub.md
 * §2.6).
 */
export function isReclaimed(
  agent: Pick<Agent, "gone" | "state" | "bound_to"> | undefined,
): boolean {
  return (
    agent !== undefined && !agent.gone && agent.state === "known-unbound" && agent.bound_to === ""
  );
}

/**
 * Whether an owner may claim the host: the hub that it is cabled to reports that its agent is ready and has no owner's
 * label, the host is not in maintenance, and no alert of its health prevents it.
 */
export function isUsable(host: Host): boolean {
  const { spec, status } = host;
  const { agent } = status;
  return (
    host.maintenance === undefined &&
    !isUnhealthy(host) &&
    isPrepared(host) &&
    agent?.hub === spec.hub &&
    agent.labelled_for === "" &&
    isReclaimed(agent)
  );
}

/** Whether Slipway manages the power of a host: otherwise somebody else boots its agent. */
export const isManaged = ({ spec: { bmc } }: { spec: Pick<Host["spec"], "bmc"> }): boolean =>
  bmc.credentials !== undefined || namesService(bmc.address);

/** The rack of a host: from its spec, or else from its inventory; undefined where neither has it. */
export const rackOf = ({ spec, status }: Host): string | undefined =>
  spec.rack ?? status.inventory?.rack;

/** Whether an alert of a host's health keeps it out of the pool. */
export const isUnhealthy = ({ status: { health } }: Host): boolean =>
  health?.prevents_allocation === true;

/** Whether all DPUs of a host are registered: until then Slipway does nothing to the host. */
export const isWhole = ({ spec, dpus = [] }: Host): boolean => dpus.length >= (spec.dpus ?? 0);

/**
 * Whether a host's server is erased, checked and idle. Always true for a host whose power somebody else manages, since
 * Slipway cannot know it.
 */
function isPrepared(host: Host): boolean {
  if (!isManaged(host)) return true;
  const { server, operation } = host;
  const isSetAside = server?.quarantine !== undefined || server?.isRetired === true;
  return server?.condition === "READY" && operation === undefined && !isSetAside && isWhole(host);
}

/**
 * Whether a host may leave its cluster: its agent is reclaimed, or does not exist. A server whose power Slipway manages
 * need not return by itself: once its agent is unbound and silent, cleaning continues.
 */
export function mayLeave(host: Host): boolean {
  const { agent } = host.status;
  const isSilent = agent?.state === "disconnected-unbound" && agent.bound_to === "";
  return isReclaimed(agent) || agent?.gone !== false || (isManaged(host) && isSilent);
}

/** A host's status: its hub's reports of its agent, its holder, and its inventory's findings. Pure. */
export function hostStatus(host: Host, owner: NamedOwner | undefined, now: number): HostStatus {
  const { state: before, since, agent, inventory, health } = host.status;
  const state = stateOf(host, owner);
  const waits = state === "HOST_STATE_UNDISCOVERED" || state === "HOST_STATE_RECLAIMING";
  const message =
    quarantineOf(host, owner)?.reason ??
    inMaintenance(host, owner) ??
    keptOut(host) ??
    (waits ? agent?.message : undefined);
  return {
    state,
    since: state === before && since !== undefined ? since : timestamp(now),
    ...(agent ? { agent } : {}),
    ...(owner && { owner: storedOwner(owner) }),
    ...(message ? { message } : {}),
    ...(inventory && { inventory }),
    ...(health && { health }),
    ...conditionsOfTrouble(host.status.conditions, findingsOf(host, owner), now),
  };
}

const findingsOf = (
  host: Host,
  owner: NamedOwner | undefined,
): Record<HostConditionType, Finding> => ({
  HOST_CONDITION_TYPE_IN_SERVICE: inServiceOf(host, owner),
  HOST_CONDITION_TYPE_DPUS_REPORT: dpusReport(host),
});

/** The conditions that a host shows, also for records from before hosts had conditions. */
export const hostConditions = (host: Host): Pick<HostStatus, "conditions"> =>
  withTrouble(host.status.conditions, findingsOf(host, hostOwnerOf(host)));

/** A quarantined host is out of service until a person, or its DPU, brings it back. */
function inServiceOf(host: Host, owner: NamedOwner | undefined): Finding {
  const quarantine = quarantineOf(host, owner);
  if (!quarantine) return { status: true, reason: "InService" };
  const { since, reason: message } = quarantine;
  const reason = host.server?.quarantine ? "Quarantined" : "DpuSilent";
  return { status: false, reason, message, since };
}

/** Whether all DPUs with a reporting interval report. */
function dpusReport(host: Host): Finding {
  const [first] = silentDpus(host);
  if (!first) return { status: true, reason: "AllReport" };
  const message = silentDpus(host)
    .map(({ source, message }) => `${source}: ${message}`)
    .join("; ");
  return { status: false, reason: "Silent", message, since: first.since };
}

/**
 * Why a host is quarantined, and since when. A free host is quarantined automatically while its DPU is silent,
 * until the DPU reports again; no person is needed.
 */
export function quarantineOf(host: Host, owner = hostOwnerOf(host)) {
  if (host.server?.quarantine) return host.server.quarantine;
  const isSetAside = stateOf(host, owner) === "HOST_STATE_QUARANTINED";
  const silent = isSetAside ? silentDpu(host) : undefined;
  return silent && { since: silent.since, reason: `${silent.source}: ${silent.message}` };
}

/** The alert that keeps a host out of the pool, in words; undefined without one. */
function keptOut({ status: { health } }: Host): string | undefined {
  const alert = health?.alerts.find(({ classifications }) =>
    classifications.includes("prevents_allocation"),
  );
  if (!alert) return undefined;
  const { source, id, target, message, since } = alert;
  return `${source} reports ${id}${target === undefined ? "" : ` of ${target}`} since ${timeText(since)}: ${message}`;
}

/** The plan for a host in maintenance, in words; undefined for any other host. */
function inMaintenance({ maintenance }: Host, owner: NamedOwner | undefined): string | undefined {
  if (!maintenance) return undefined;
  const { since, by, operation } = maintenance;
  const asked = `in maintenance since ${timeText(since)}, by ${by}`;
  if (!owner || operation === undefined) return asked;
  return `${asked}: it leaves ${owner.kind} '${owner.id}' once operation '${operation}' has replaced it`;
}

const storedOwner = ({ role, ...owner }: NamedOwner): HostStatus["owner"] => ({
  ...owner,
  node_set: role,
});

/**
 * The host after its owner has released it: a server whose power Slipway manages still has the owner's data on its
 * drives. Other hosts are unchanged.
 */
export function hostAfterRelease(host: Host): Host {
  if (!isManaged(host)) return host;
  const { owner: _, ...status } = host.status;
  return { ...host, status, server: { ...host.server, condition: "USED" } };
}

/** The owner that a host's status names. */
export function hostOwnerOf({ status }: Host): NamedOwner | undefined {
  if (!status.owner) return undefined;
  const { node_set: role, ...owner } = status.owner;
  return { ...owner, role };
}

/** The states of an agent that has left its cluster and is not reclaimed yet (docs/reference/hub.md §2.6). */
const reclaiming = /^(unbinding|reclaiming)/;

/** The state of a host that follows from Slipway's work on its server; undefined without such work. */
function serverState(host: Host): HostState | undefined {
  if (!isManaged(host)) return undefined;
  const { server, operation } = host;
  if (server?.quarantine) return "HOST_STATE_QUARANTINED";
  if (operation && server?.work === "discover") return "HOST_STATE_DISCOVERING";
  if (operation && server?.work === "update_firmware") return "HOST_STATE_UPDATING";
  if (operation || server?.condition === "USED") return "HOST_STATE_CLEANING";
  if (server?.isRetired) return "HOST_STATE_RETIRED";
  if (host.maintenance) return "HOST_STATE_MAINTENANCE";
  if (isUnhealthy(host)) return silentDpu(host) ? "HOST_STATE_QUARANTINED" : "HOST_STATE_UNHEALTHY";
  if (server?.condition === "CLEAN") return "HOST_STATE_OFF";
  return server?.condition === "READY" ? undefined : "HOST_STATE_UNDISCOVERED";
}

function stateOf(host: Host, owner: NamedOwner | undefined): HostState {
  const { agent } = host.status;
  if (agent && !agent.gone && reclaiming.test(agent.state)) return "HOST_STATE_RECLAIMING";
  if (owner) return "HOST_STATE_RESERVED";
  const state = serverState(host);
  if (state) return state;
  if (host.maintenance) return "HOST_STATE_MAINTENANCE";
  if (isUnhealthy(host)) return "HOST_STATE_UNHEALTHY";
  if (!agent || agent.gone || agent.hub !== host.spec.hub) return "HOST_STATE_UNDISCOVERED";
  if (isUsable(host)) return "HOST_STATE_AVAILABLE";
  return agent.bound_to || agent.labelled_for ? "HOST_STATE_RECLAIMING" : "HOST_STATE_UNDISCOVERED";
}
