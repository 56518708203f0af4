import type { Machine } from "../bmc/machine.ts";
import { durations } from "../durations.ts";
import type { Host } from "../host.ts";
import { inventoryOf } from "./agent-inventory.ts";
import type { HostNetwork } from "./agent-network.ts";
import { conditionsOf, type Finding, kubeTime } from "./conditions.ts";
import type { Agent, AgentState } from "./objects.ts";

/** The state that follows after a state's duration; states without one wait for an event. */
export const nextState: Partial<Record<AgentState, AgentState>> = {
  "discovering-unbound": "known-unbound",
  binding: "discovering",
  discovering: "insufficient",
  insufficient: "known",
  known: "installing",
  installing: "installing-in-progress",
  "installing-in-progress": "added-to-existing-cluster",
  unbinding: "reclaiming",
  reclaiming: "reclaiming-rebooting",
  "reclaiming-rebooting": "discovering-unbound",
};

const unboundStates: AgentState[] = [
  "discovering-unbound",
  "known-unbound",
  "disconnected-unbound",
];
const leavingStates: AgentState[] = [
  "unbinding",
  "unbinding-pending-user-action",
  "reclaiming",
  "reclaiming-rebooting",
];
/** States of agents that have been silent for some time. */
const silentStates: AgentState[] = ["disconnected-unbound", "disconnected", "reclaiming-rebooting"];

const installingStates: AgentState[] = [
  "installing",
  "installing-in-progress",
  "installing-pending-user-action",
];

/** Whether an agent in this state belongs to a cluster, or is about to. */
export function isTaken(state: AgentState): boolean {
  return !unboundStates.includes(state) && !leavingStates.includes(state);
}

const writing = "Writing image to disk";
const rebooting = "Rebooting";
const joined = "Joined";

/** The stages of `installing-in-progress`, each with the completed percentage of the installation. */
const stages = [
  { stage: "Starting installation", from: 0 },
  { stage: "Installing", from: 0.1 },
  { stage: writing, from: 0.2 },
  { stage: rebooting, from: 0.6 },
  { stage: "Configuring", from: 0.8 },
  { stage: joined, from: 0.95 },
];

const placeOf = (stage: unknown): number => stages.findIndex((each) => each.stage === stage);

/** Whether the installation has reached the restart of the machine. */
export const isRebooted = ({ status }: Agent): boolean =>
  placeOf(status?.progress?.currentStage) >= placeOf(rebooting);

/** When an installation that began at `started` writes the disk, and when it restarts the machine. */
export function installTimes(started: number): { writes: number; reboots: number } {
  const at = (stage: string) =>
    started + durations.agent["installing-in-progress"] * (stages[placeOf(stage)]?.from ?? 0);
  return { writes: at(writing), reboots: at(rebooting) };
}

export interface Progress {
  currentStage: string;
  installationPercentage: number;
  /** When the stage began, and when the next one begins; ms since the epoch. */
  since: number;
  until: number;
}

/** The progress of an installation that began at `started`. */
export function installProgress(started: number, now: number): Progress {
  const length = durations.agent["installing-in-progress"];
  const done = (now - started) / length;
  const index = stages.findLastIndex(({ from }) => from <= done);
  const { stage, from } = stages[Math.max(0, index)] ?? { stage: "Installing", from: 0 };
  const until = stages[index + 1]?.from ?? 1;
  return {
    currentStage: stage,
    installationPercentage: Math.round(from * 100),
    since: started + from * length,
    until: started + until * length,
  };
}

/** The progress of an installation whose node cannot join: all stages but the join are done. */
export const heldProgress = (started: number, now: number): Progress =>
  progressBefore(joined, started, now);

/** The progress of an installation whose machine has not returned from its restart. */
export const restartProgress = (started: number, now: number): Progress =>
  progressBefore("Configuring", started, now);

function progressBefore(stage: string, started: number, now: number): Progress {
  const progress = installProgress(started, now);
  if (placeOf(progress.currentStage) < placeOf(stage)) return progress;
  const last = stages[placeOf(stage) - 1]?.from ?? 0;
  return installProgress(started, started + last * durations.agent["installing-in-progress"]);
}

const stateInfo: Record<AgentState, string> = {
  "discovering-unbound": "Waiting for host to send hardware details",
  "known-unbound": "Host is ready to be bound to a cluster",
  "disconnected-unbound": "Host has stopped communicating with the installation service",
  binding: "Host is waiting to be bound to the cluster",
  discovering: "Waiting for host to send hardware details",
  insufficient:
    "Host cannot be installed due to following failing validation(s): Host couldn't synchronize with any NTP server",
  known: "Host is ready to be installed",
  disconnected: "Host has stopped communicating with the installation service",
  installing: "Host is waiting for other hosts",
  "installing-in-progress": "Installation is in progress",
  "installing-pending-user-action":
    "Expected the host to boot from disk, but it booted the installation image - please reboot and fix boot order to boot from disk",
  "added-to-existing-cluster": "Done",
  error: "Failed to install: the installer could not write the image to the disk",
  unbinding: "Host is waiting to be unbound from the cluster",
  "unbinding-pending-user-action":
    "Host is waiting to be rebooted into the discovery image by its user",
  reclaiming: "Host is being reclaimed for use with a different cluster",
  "reclaiming-rebooting": "Host is rebooting into the discovery image",
};

export interface AgentReport {
  state: AgentState;
  network: HostNetwork;
  progress?: Progress;
  /** The machine whose hardware a discovery agent has just read. */
  found?: Machine;
}

/** The whole status of an agent. */
export function agentStatus(
  agent: Agent,
  host: Host,
  report: AgentReport,
  now: number,
): NonNullable<Agent["status"]> {
  const { state, network, progress, found } = report;
  const isInstalled = state === "added-to-existing-cluster";
  const stage = isInstalled ? { currentStage: "Done", installationPercentage: 100 } : undefined;
  return {
    role: isTaken(state) ? "worker" : "auto-assign",
    inventory: inventoryOf(agent, host, network, found),
    ...(progress && {
      progress: {
        currentStage: progress.currentStage,
        installationPercentage: progress.installationPercentage,
        stageStartTime: kubeTime(progress.since),
      },
    }),
    ...(stage && { progress: stage }),
    ...(host.server && { validationsInfo: validationsOf(state) }),
    conditions: conditionsOf(agent.status?.conditions, findings(agent, report), { now }),
    debugInfo: { state, stateInfo: stateInfo[state] },
  };
}

/** Some of the service's validations of a registered server; the rest of its list would show no more. */
function validationsOf(state: AgentState) {
  const passed = (id: string) => ({ id, status: "success", message: "Passed" });
  const ntp = "Host couldn't synchronize with any NTP server";
  return {
    hardware: ["has-inventory", "has-min-cpu-cores", "has-min-memory"].map(passed),
    network: [
      passed("connected"),
      state === "insufficient"
        ? { id: "ntp-synced", status: "failure", message: ntp }
        : passed("ntp-synced"),
    ],
  };
}

/** The conditions of an agent, with the messages of assisted-service's agent_types.go. */
function findings(agent: Agent, { state, network, progress }: AgentReport): Finding[] {
  return [
    {
      type: "SpecSynced",
      status: true,
      reason: "SyncOK",
      message: "The Spec has been successfully applied",
    },
    connected(network.isConnected && !silentStates.includes(state)),
    { type: "RequirementsMet", ...requirements(agent, state) },
    { type: "Validated", ...validated(state) },
    { type: "Installed", ...installed(state, progress) },
    { type: "Bound", ...bound(state) },
  ];
}

function connected(isConnected: boolean): Finding {
  if (!isConnected) {
    return {
      type: "Connected",
      status: false,
      reason: "AgentIsDisconnected",
      message:
        "The agent has not contacted the installation service in some time, user action should be taken",
    };
  }
  return {
    type: "Connected",
    status: true,
    reason: "AgentIsConnected",
    message: "The agent's connection to the installation service is unimpaired",
  };
}

type Judgement = Omit<Finding, "type">;

function requirements(agent: Agent, state: AgentState): Judgement {
  if (installingStates.includes(state) || state === "added-to-existing-cluster") {
    const message = "Installation already started and is in progress";
    return { status: true, reason: "AgentAlreadyInstalling", message };
  }
  if (state === "error") {
    const message = "The agent installation stopped";
    return { status: true, reason: "AgentInstallationStopped", message };
  }
  if (!agent.spec.approved) {
    return { status: false, reason: "AgentIsNotApproved", message: "The agent is not approved" };
  }
  if (state === "known" || state === "known-unbound") {
    const message = "The agent is ready to begin the installation";
    return { status: true, reason: "AgentIsReady", message };
  }
  const message = "The agent is not ready to begin the installation";
  return { status: false, reason: "AgentNotReady", message };
}

function validated(state: AgentState): Judgement {
  if (state === "insufficient") {
    const message =
      "The agent's validations are failing: Host couldn't synchronize with any NTP server";
    return { status: false, reason: "ValidationsFailing", message };
  }
  const isUnknown =
    ["discovering-unbound", "binding", "discovering"].includes(state) ||
    leavingStates.includes(state);
  if (isUnknown) {
    const message = "The agent's validations have not yet been calculated";
    return { status: "Unknown", reason: "ValidationsUnknown", message };
  }
  const message = "The agent's validations are passing";
  return { status: true, reason: "ValidationsPassing", message };
}

function installed(state: AgentState, progress?: Progress): Judgement {
  if (state === "added-to-existing-cluster") {
    const message = "The installation has completed: Done";
    return { status: true, reason: "InstallationCompleted", message };
  }
  if (state === "error") {
    const message = `The installation has failed: ${stateInfo.error}`;
    return { status: false, reason: "InstallationFailed", message };
  }
  if (installingStates.includes(state)) {
    const message = `The installation is in progress: ${progress?.currentStage ?? stateInfo[state]}`;
    return { status: false, reason: "InstallationInProgress", message };
  }
  const message = "The installation has not yet started";
  return { status: false, reason: "InstallationNotStarted", message };
}

function bound(state: AgentState): Judgement {
  if (state === "binding") {
    const message = "The agent is currently binding to a cluster deployment";
    return { status: false, reason: "Binding", message };
  }
  if (state === "unbinding-pending-user-action") {
    const message = "The agent is currently unbinding; Pending host restart from infraenv image";
    return { status: false, reason: "UnbindingPendingUserAction", message };
  }
  if (leavingStates.includes(state)) {
    const message = "The agent is currently unbinding from a cluster deployment";
    return { status: false, reason: "Unbinding", message };
  }
  return isTaken(state)
    ? { status: true, reason: "Bound", message: "The agent is bound to a cluster deployment" }
    : {
        status: false,
        reason: "Unbound",
        message: "The agent is not bound to any cluster deployment",
      };
}
