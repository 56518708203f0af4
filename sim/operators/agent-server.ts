import { durations } from "../durations.ts";
import type { Host } from "../host.ts";
import { installTimes, isRebooted } from "./agent-state.ts";
import type { HubWorld } from "./hub.ts";
import type { Agent, AgentState } from "./objects.ts";

/**
 * The agent of a server, which runs as long as the server runs the agent's system: the discovery image, or the system
 * installed on its disk.
 */

const unheard: Partial<Record<AgentState, AgentState>> = {
  "discovering-unbound": "disconnected-unbound",
  "known-unbound": "disconnected-unbound",
  unbinding: "disconnected-unbound",
  binding: "disconnected",
  discovering: "disconnected",
  insufficient: "disconnected",
  known: "disconnected",
  installing: "error",
  "installing-in-progress": "error",
  reclaiming: "unbinding-pending-user-action",
  "reclaiming-rebooting": "unbinding-pending-user-action",
};

/** The state after an agent's silence, and the length of that silence; undefined where silence changes nothing. */
export function afterSilence(state: AgentState): { next: AgentState; wait: number } | undefined {
  const next = unheard[state];
  const isReclaimed = state === "reclaiming" || state === "reclaiming-rebooting";
  return next && { next, wait: isReclaimed ? durations.reclaim : durations.silence };
}

/** Whether the agent's server runs the system that this state needs. */
export function isThere({ id, servers }: HubWorld, agent: Agent, host: Host): boolean {
  const runs = servers.runs(host.id);
  const state = agent.status?.debugInfo?.state;
  // A host without a controller always runs what it should.
  if (!runs) return true;
  const isDiscovered = runs.system === "discovery" && runs.hub === id && runs.isRegistered;
  const isNode =
    runs.system === "installed" && runs.cluster === agent.spec.clusterDeploymentName?.name;
  switch (state) {
    case "installing-in-progress":
      return isNode || (isDiscovered && !isRebooted(agent));
    case "installing-pending-user-action":
    case "added-to-existing-cluster":
      return isNode;
    case "reclaiming":
      return runs.system === "installed";
    // These states end when the server has booted the discovery image and registers.
    case "reclaiming-rebooting":
    case "unbinding-pending-user-action":
      return false;
    default:
      return isDiscovered;
  }
}

/** Writes the disk, and restarts the machine, when an agent's installation is at these steps. */
export function install(
  { servers, cluster }: HubWorld,
  agent: Agent,
  host: Host,
  began: number,
): void {
  const name = agent.spec.clusterDeploymentName?.name;
  const runs = servers.runs(host.id);
  const { writes, reboots } = installTimes(began);
  const now = cluster.clock.now();
  if (name === undefined || runs?.system !== "discovery" || now < writes) return;
  servers.install(host.id, name);
  // A server that has booted the image again since then has the wrong boot order.
  if (now >= reboots && (servers.bootedAt(host.id) ?? 0) < reboots) servers.restart(host.id);
}
