import { agentNamespace } from "../../core/ports/hub/agents/port.ts";
import { durations } from "../durations.ts";
import type { Host } from "../host.ts";
import type { KubeCluster } from "../kubernetes/cluster.ts";
import { sameJson } from "../kubernetes/paths.ts";
import { networkOf, reportedNetwork } from "./agent-network.ts";
import {
  type AgentReport,
  agentStatus,
  heldProgress,
  installProgress,
  isTaken,
  nextState,
} from "./agent-state.ts";
import { type Controller, earliest } from "./control-loop.ts";
import type { HubWorld } from "./hub.ts";
import { type Agent, type AgentState, read } from "./objects.ts";
import { isReachableByNodes } from "./published-api.ts";

/** The label is always set, and empty while the agent is not bound. */
const boundLabel = "agent-install.openshift.io/clusterdeployment-namespace";

/** Takes agents through their states (reference: assisted-service's host states). */
export function assistedService(world: HubWorld): Controller {
  const { cluster, marks, host, failsInstallation, holds, site } = world;
  return {
    kind: "Agent",
    reconcile(object) {
      const agent = read<Agent>(object);
      const machine = host(agent.metadata.name);
      const state = agent.status?.debugInfo?.state;
      // An Agent that a person made by hand has no machine that would report.
      if (!machine || !state) return undefined;

      labelBinding(cluster, agent);
      const { network, again } = reportedNetwork(world, agent, machine);
      const show = (report: Partial<AgentReport> = {}) =>
        setStatus(cluster, agent, machine, { state, network, ...report });
      const enter = (next: AgentState): number | undefined => {
        // Cleared before the change, so that a mark never outlives its state.
        marks.clear(agent.metadata.uid, state);
        show({ state: next });
        return again;
      };
      const isWanted = agent.spec.clusterDeploymentName !== undefined;
      if (isWanted && state === "known-unbound") return enter("binding");
      if (!isWanted && isTaken(state)) return enter("unbinding");

      const next = nextState[state];
      const isHeld = state === "known" && !agent.spec.approved;
      if (!next || isHeld || !network.isConnected) {
        // A disconnected agent begins its work again once it is back.
        if (!network.isConnected) marks.clear(agent.metadata.uid, state);
        show();
        return again;
      }
      const since = marks.begin(agent.metadata.uid, state);
      const until = since + stay(state);
      const now = cluster.clock.now();
      const controlPlane = agent.spec.clusterDeploymentName?.namespace ?? "";
      const isInstalling = state === "installing-in-progress";
      if (isInstalling && !isReachableByNodes(site, [cluster, controlPlane])) {
        const progress = heldProgress(since, now);
        show({ progress });
        return earliest(again, progress.until > now ? progress.until : undefined);
      }
      if (state === "discovering-unbound" && holds("reclaim", machine)) {
        show();
        return earliest(again, now + durations.held);
      }
      if (now >= until) {
        const fails = isInstalling && failsInstallation(machine);
        return enter(fails ? "error" : next);
      }
      if (!isInstalling) {
        show();
        return earliest(again, until);
      }
      const progress = installProgress(since, now);
      show({ progress });
      return earliest(again, progress.until);
    },
    gone: (object) => marks.forget(object.metadata.uid),
  };
}

/**
 * The agent of a machine that has booted the discovery image; an existing agent is left alone. Answers
 * false when the machine cannot reach the hub.
 */
export function registerAgent(
  { cluster, site }: Pick<HubWorld, "cluster" | "site">,
  host: Host,
  state: AgentState,
): boolean {
  const existing = cluster.get("Agent", agentNamespace, host.id);
  if (existing?.status) return true;
  const network = networkOf(host, site.fabric);
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
            "agent-install.openshift.io/bmh": host.name,
            "infraenvs.agent-install.openshift.io": agentNamespace,
          },
        },
        spec: { approved: false, role: "" },
      }),
  );
  setStatus(cluster, agent, host, { state, network });
  return true;
}

function stay(state: AgentState): number {
  const times: Partial<Record<AgentState, number>> = durations.agent;
  return times[state] ?? 0;
}

function setStatus(cluster: KubeCluster, agent: Agent, host: Host, report: AgentReport): void {
  const { namespace, name } = agent.metadata;
  const status = agentStatus(agent, host, report, cluster.clock.now());
  if (!sameJson(agent.status, status))
    cluster.patchStatus("Agent", namespace, name, () => ({ ...status }));
}

function labelBinding(cluster: KubeCluster, { metadata, spec }: Agent): void {
  const value = spec.clusterDeploymentName?.namespace ?? "";
  if (metadata.labels?.[boundLabel] === value) return;
  cluster.mutate("Agent", metadata.namespace, metadata.name, (object) => ({
    ...object,
    metadata: { ...object.metadata, labels: { ...object.metadata.labels, [boundLabel]: value } },
  }));
}
