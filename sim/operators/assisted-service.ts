import { agentNamespace } from "../../core/hub/hub.ts";
import { durations } from "../durations.ts";
import type { Host } from "../host.ts";
import type { KubeCluster } from "../kubernetes/cluster.ts";
import { agentStatus, installProgress, isTaken, nextState } from "./agent-state.ts";
import type { Controller } from "./control-loop.ts";
import type { HubWorld } from "./hub.ts";
import { type Agent, type AgentState, read } from "./objects.ts";

/** Always set, and empty while the agent is bound to nothing. */
const boundLabel = "agent-install.openshift.io/clusterdeployment-namespace";

/** Takes agents through their states (reference: assisted-service's host states). */
export function assistedService({ cluster, marks, host, failsInstallation }: HubWorld): Controller {
  return {
    kind: "Agent",
    reconcile(object) {
      const agent = read<Agent>(object);
      const machine = host(agent.metadata.name);
      const state = agent.status?.debugInfo?.state;
      // An Agent that somebody made by hand has no machine that would report in.
      if (!machine || !state) return undefined;

      labelBinding(cluster, agent);
      const enter = (next: AgentState): undefined => {
        // Before the change, so that a mark never outlives its state.
        marks.clear(agent.metadata.uid, state);
        setStatus(cluster, agent, machine, next);
      };
      const isWanted = agent.spec.clusterDeploymentName !== undefined;
      if (isWanted && state === "known-unbound") return enter("binding");
      if (!isWanted && isTaken(state)) return enter("unbinding");

      const next = nextState[state];
      const isHeld = state === "known" && !agent.spec.approved;
      if (!next || isHeld) return setStatus(cluster, agent, machine, state);
      const since = marks.begin(agent.metadata.uid, state);
      const until = since + stay(state);
      const now = cluster.clock.now();
      if (now >= until) {
        const fails = state === "installing-in-progress" && failsInstallation(machine);
        return enter(fails ? "error" : next);
      }
      if (state !== "installing-in-progress") {
        setStatus(cluster, agent, machine, state);
        return until;
      }
      const progress = installProgress(since, now);
      setStatus(cluster, agent, machine, state, progress);
      return progress.until;
    },
    gone: (object) => marks.forget(object.metadata.uid),
  };
}

/** The agent of a machine that has booted the discovery image; one that is there is left alone. */
export function registerAgent(cluster: KubeCluster, host: Host, state: AgentState): void {
  const existing = cluster.get("Agent", agentNamespace, host.id);
  if (existing?.status) return;
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
  setStatus(cluster, agent, host, state);
}

function stay(state: AgentState): number {
  const times: Partial<Record<AgentState, number>> = durations.agent;
  return times[state] ?? 0;
}

function setStatus(
  cluster: KubeCluster,
  agent: Agent,
  host: Host,
  state: AgentState,
  progress?: ReturnType<typeof installProgress>,
): undefined {
  const { namespace, name } = agent.metadata;
  const status = agentStatus(agent, host, state, cluster.clock.now(), progress);
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
