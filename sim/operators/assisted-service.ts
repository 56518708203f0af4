import { durations } from "../durations.ts";
import type { KubeCluster } from "../kubernetes/cluster.ts";
import { reportedNetwork } from "./agent-network.ts";
import { boundLabel, setStatus } from "./agent-registration.ts";
import { afterSilence, install, isThere } from "./agent-server.ts";
import {
  type AgentReport,
  heldProgress,
  installProgress,
  isRebooted,
  isTaken,
  nextState,
  restartProgress,
} from "./agent-state.ts";
import { type Controller, earliest } from "./control-loop.ts";
import type { HubWorld } from "./hub.ts";
import type { Marks } from "./marks.ts";
import { type Agent, type AgentState, read } from "./objects.ts";
import { isReachableByNodes } from "./published-api.ts";

const installing = "installing-in-progress";
const joined = "added-to-existing-cluster";
/** The mark of an agent's silence. */
const silence = "silent";

/** Moves agents through their states (reference: assisted-service's host states). */
export function assistedService(world: HubWorld): Controller {
  const { id, cluster, marks, host, failsInstallation, holds, site, servers } = world;
  return {
    kind: "Agent",
    reconcile(object) {
      const agent = read<Agent>(object);
      const machine = host(agent.metadata.name);
      const state = agent.status?.debugInfo?.state;
      // An Agent that a person created by hand has no machine to report for it.
      if (!machine || !state) return undefined;

      labelBinding(cluster, agent);
      const { network, again } = reportedNetwork(world, agent, machine);
      const show = (report: Partial<AgentReport> = {}) =>
        setStatus(cluster, agent, machine, { state, network, ...report });
      const enter = (next: AgentState): number | undefined => {
        // Cleared before the change, so that a mark cannot outlast its state.
        marks.clear(agent.metadata.uid, state);
        if (state === "installing-pending-user-action" && next !== installing)
          marks.clear(agent.metadata.uid, installing);
        show({ state: next });
        return again;
      };
      const isWanted = agent.spec.clusterDeploymentName !== undefined;
      if (isWanted && state === "known-unbound") return enter("binding");
      if (!isWanted && isTaken(state))
        return enter(machine.server && state === joined ? "reclaiming" : "unbinding");

      const isHere = isThere(world, agent, machine);
      const isRestarting = !isHere && state === installing && isRebooted(agent);
      const silent = isHere || isRestarting ? undefined : afterSilence(state);
      if (silent) {
        const due = marks.begin(agent.metadata.uid, silence) + silent.wait;
        if (cluster.clock.now() >= due) return enter(silent.next);
        // A returning agent starts its work again.
        marks.clear(agent.metadata.uid, state);
        show();
        return earliest(again, due);
      }
      if (machine.server) marks.clear(agent.metadata.uid, silence);
      if (isHere && state === "installing-pending-user-action") return enter(resumed(marks, agent));

      const isReleased = machine.server && state === "unbinding";
      const next = isReleased ? "discovering-unbound" : nextState[state];
      const isHeld = state === "known" && !agent.spec.approved;
      if (!next || isHeld || !network.isConnected) {
        // A disconnected agent starts its work again once it is back.
        if (!network.isConnected && !isRestarting) marks.clear(agent.metadata.uid, state);
        show();
        return again;
      }
      const since = marks.begin(agent.metadata.uid, state);
      const until = since + stay(state);
      const now = cluster.clock.now();
      const controlPlane = agent.spec.clusterDeploymentName?.namespace ?? "";
      const isInstalling = state === installing;
      if (isInstalling) install(world, agent, machine, since);
      if (isRestarting) {
        const progress = restartProgress(since, now);
        show({ progress });
        return earliest(again, progress.until > now ? progress.until : undefined);
      }
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
        if (next === "reclaiming-rebooting") servers.reclaim(machine.id, id, now + stay(next));
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

/** The state in which an installation resumes after its machine finally boots from the disk. */
function resumed(marks: Marks, { metadata }: Agent): AgentState {
  const isDone = marks.get(metadata.uid, installing) === undefined;
  return isDone ? joined : installing;
}

function stay(state: AgentState): number {
  const times: Partial<Record<AgentState, number>> = durations.agent;
  return times[state] ?? 0;
}

function labelBinding(cluster: KubeCluster, { metadata, spec }: Agent): void {
  const value = spec.clusterDeploymentName?.namespace ?? "";
  if (metadata.labels?.[boundLabel] === value) return;
  cluster.mutate("Agent", metadata.namespace, metadata.name, (object) => ({
    ...object,
    metadata: { ...object.metadata, labels: { ...object.metadata.labels, [boundLabel]: value } },
  }));
}
