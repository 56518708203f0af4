import { agentNamespace } from "../../core/ports/hub/reported-kinds.ts";
import type { Machine } from "../bmc/machine.ts";
import type { Host } from "../host.ts";
import type { KubeCluster } from "../kubernetes/cluster.ts";
import { sameJson } from "../kubernetes/paths.ts";
import { isOnDiscoveryNetwork, networkOf } from "./agent-network.ts";
import { type AgentReport, agentStatus, isRebooted } from "./agent-state.ts";
import type { HubWorld } from "./hub.ts";
import { infraEnvLabel } from "./infra-envs.ts";
import { type Agent, type AgentState, read } from "./objects.ts";

/** The label is always set; it is empty while the agent is not bound. */
export const boundLabel = "agent-install.openshift.io/clusterdeployment-namespace";

/**
 * Registers the agent of a machine that has booted the discovery image; an existing agent does not change. Returns
 * false when the machine cannot reach the hub.
 */
export function registerAgent(
  { cluster, site }: Pick<HubWorld, "cluster" | "site">,
  host: Host,
  state: AgentState,
  found?: Machine,
): boolean {
  const existing = cluster.get("Agent", agentNamespace, host.id);
  if (existing?.status) return true;
  const network = networkOf(host, site);
  if (!network.isConnected) return false;
  const agent = read<Agent>(
    existing ??
      cluster.create({
        apiVersion: "agent-install.openshift.io/v1beta1",
        kind: "Agent",
        metadata: {
          namespace: agentNamespace,
          name: host.id,
          labels: {
            [boundLabel]: "",
            // Only agents of hosts that Metal3 has booted name a BareMetalHost.
            ...(!host.server && { "agent-install.openshift.io/bmh": host.name }),
            [infraEnvLabel]: agentNamespace,
          },
        },
        spec: { approved: false, role: "" },
      }),
  );
  setStatus(cluster, agent, host, { state, network, ...(found && { found }) });
  return true;
}

/**
 * The first report of the agent in a server's discovery image. A known server starts again, by assisted-service's rules
 * of registration. Returns false when it cannot reach the hub. When its Agent is deleted, an agent does not register
 * again: it gets a 404 and waits (assisted-installer-agent's step_processor.go) until its machine boots the image once
 * more.
 */
export function registerServer(world: HubWorld, host: Host): boolean {
  const { cluster, marks, site, lookInto, holds } = world;
  const network = networkOf(host, site);
  if (!network.isConnected) return false;
  if (isOnDiscoveryNetwork(host, site) && holds("address", host)) return false;
  const found = lookInto(host);
  const existing = cluster.get("Agent", agentNamespace, host.id);
  const state = existing && read<Agent>(existing).status?.debugInfo?.state;
  if (!existing || !state) return registerAgent(world, host, "discovering-unbound", found);
  const agent = read<Agent>(existing);
  const next = registered(agent, state);
  // An interrupted installation resumes once its server boots from the disk.
  if (next !== "installing-pending-user-action") marks.clear(agent.metadata.uid, state);
  setStatus(cluster, agent, host, { state: next, network, ...(found && { found }) });
  return true;
}

function registered(agent: Agent, state: AgentState): AgentState {
  switch (state) {
    case "discovering-unbound":
    case "known-unbound":
    case "disconnected-unbound":
    case "unbinding":
    case "unbinding-pending-user-action":
    case "reclaiming":
    case "reclaiming-rebooting":
      return "discovering-unbound";
    case "installing":
    case "error":
      return "error";
    case "installing-in-progress":
      return isRebooted(agent) ? "installing-pending-user-action" : "error";
    case "installing-pending-user-action":
    case "added-to-existing-cluster":
      return "installing-pending-user-action";
    case "binding":
    case "discovering":
    case "insufficient":
    case "known":
    case "disconnected":
      return "discovering";
  }
}

/** Writes the status of an agent if it has changed. */
export function setStatus(
  cluster: KubeCluster,
  agent: Agent,
  host: Host,
  report: AgentReport,
): void {
  const { namespace, name } = agent.metadata;
  const status = agentStatus(agent, host, report, cluster.clock.now());
  if (!sameJson(agent.status, status))
    cluster.patchStatus("Agent", namespace, name, () => ({ ...status }));
}
