import type { KubeCluster, KubeObject } from "../kubernetes/cluster.ts";
import { conditionOf, conditionsOf, type Finding, isTrue } from "./conditions.ts";
import type { Controller } from "./control-loop.ts";
import { removeFinalizer } from "./finalizers.ts";
import type { HubWorld } from "./hub.ts";
import {
  type Agent,
  type AgentMachine,
  type HostedControlPlane,
  type Machine,
  read,
} from "./objects.ts";

export const agentMachineFinalizer = "agentmachine.agent-install.openshift.io/deprovision";
export const deleteHook = "pre-terminate.delete.hook.machine.cluster.x-k8s.io/agentmachine";
const refLabel = "agentMachineRef";
const refNamespace = "agentMachineRefNamespace";

/** Agents in these states have left their cluster, so that the machine can be removed. */
const released = [
  "discovering-unbound",
  "known-unbound",
  "disconnected-unbound",
  "unbinding-pending-user-action",
  "error",
];

/**
 * The CAPI provider for agents: binds an agent to each AgentMachine, and unbinds it when the machine is deleted
 * (reference: cluster-api-provider-agent's agentmachine_controller.go).
 */
export function agentMachines({ cluster }: HubWorld): Controller {
  return {
    kind: "AgentMachine",
    also: {
      Machine: ({ metadata }) => [metadata],
      HostedControlPlane: ({ metadata }) => machinesIn(cluster, metadata.namespace),
      Agent: (agent) => concernedBy(cluster, read<Agent>(agent)),
    },
    reconcile(object) {
      const machine = read<AgentMachine>(object);
      const { namespace, name } = machine.metadata;
      const owner = cluster.get("Machine", namespace, name);
      if (!owner) {
        if (machine.metadata.deletionTimestamp)
          removeFinalizer(cluster, machine, agentMachineFinalizer);
        return undefined;
      }
      setHook(cluster, owner);
      const isWaiting = conditionOf(
        read<Machine>(owner).status?.conditions,
        "PreTerminateDeleteHookSucceeded",
      );
      if (isWaiting?.status === "False") return release(cluster, machine, owner);
      if (owner.metadata.deletionTimestamp) return undefined;

      const agent = agentOf(cluster, machine) ?? takeAgent(cluster, machine);
      if (agent) refer(cluster, machine, agent);
      setStatus(cluster, machine, agent);
      return undefined;
    },
  };
}

function machinesIn(cluster: KubeCluster, namespace: string | undefined) {
  return cluster
    .list("AgentMachine", namespace === undefined ? {} : { namespace })
    .map(({ metadata }) => metadata);
}

/**
 * The machines that a change of an agent concerns: the machine that it is bound to; for a free agent, all machines
 * without one.
 */
function concernedBy(cluster: KubeCluster, agent: Agent) {
  const isFree = isValid(agent);
  return cluster
    .list("AgentMachine")
    .filter((machine) => {
      const ref = read<AgentMachine>(machine).status?.agentRef;
      return ref ? ref.name === agent.metadata.name : isFree;
    })
    .map(({ metadata }) => metadata);
}

/** Whether an agent can be bound, as in the provider's isValidAgent. */
function isValid({ spec, status }: Agent): boolean {
  const conditions = status?.conditions;
  return (
    spec.approved &&
    conditionOf(conditions, "Bound")?.status === "False" &&
    isTrue(conditions, "Validated") &&
    isTrue(conditions, "Connected")
  );
}

function agentOf(cluster: KubeCluster, { metadata, status }: AgentMachine): Agent | undefined {
  const ref = status?.agentRef;
  const found = ref
    ? cluster.get("Agent", ref.namespace, ref.name)
    : cluster.list("Agent", { labelSelector: `${refLabel}=${metadata.uid}` })[0];
  return found && read<Agent>(found);
}

function takeAgent(cluster: KubeCluster, machine: AgentMachine): Agent | undefined {
  const { namespace, uid } = machine.metadata;
  const [found] = cluster.list("HostedControlPlane", { ...(namespace && { namespace }) });
  if (!found) return undefined;
  const { hostedCluster, agentNamespace } = read<HostedControlPlane>(found).spec;
  const wanted = Object.entries(machine.spec.agentLabelSelector.matchLabels);
  const labelSelector = [...wanted.map(([key, value]) => `${key}=${value}`), `!${refLabel}`].join();
  const agent = cluster
    .list("Agent", { namespace: agentNamespace, labelSelector })
    .find((candidate) => isValid(read<Agent>(candidate)));
  if (!agent) return undefined;
  const clusterDeploymentName = { name: hostedCluster.name, namespace };
  const taken = cluster.mutate("Agent", agentNamespace, agent.metadata.name, (object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      labels: { ...object.metadata.labels, [refLabel]: uid },
      annotations: { ...object.metadata.annotations, [refNamespace]: namespace ?? "" },
    },
    spec: { ...read<Agent>(object).spec, clusterDeploymentName },
  }));
  return read<Agent>(taken);
}

function refer(cluster: KubeCluster, machine: AgentMachine, agent: Agent): void {
  const providerID = `agent://${agent.metadata.name}`;
  if (machine.spec.providerID === providerID) return;
  const { namespace, name } = machine.metadata;
  cluster.mutate("AgentMachine", namespace, name, (object) => ({
    ...object,
    spec: { ...machine.spec, providerID },
  }));
}

function setStatus(cluster: KubeCluster, machine: AgentMachine, agent: Agent | undefined): void {
  const { namespace, name } = machine.metadata;
  const now = cluster.clock.now();
  const parts = agent ? followAgent(agent) : notReserved;
  const failing = parts.find(({ status }) => status !== true);
  const findings: Finding[] = [
    { ...(failing ?? { status: true, reason: "Ready" }), type: "Ready" },
    ...parts,
  ];
  const status: NonNullable<AgentMachine["status"]> = {
    ready: failing === undefined,
    ...(agent && {
      agentRef: { namespace: agent.metadata.namespace ?? "", name: agent.metadata.name },
      addresses: addressesOf(agent),
    }),
    conditions: conditionsOf(machine.status?.conditions, findings, { now }),
  };
  cluster.patchStatus("AgentMachine", namespace, name, () => ({ ...status }));
}

const followed = ["SpecSynced", "Validated", "RequirementsMet", "Installed"];
const typeOf = (type: string): string => (type === "Installed" ? type : `Agent${type}`);

const notReserved: Finding[] = [
  { type: "AgentReserved", status: false, reason: "NoSuitableAgents" },
  ...followed.map((type) => ({
    type: typeOf(type),
    status: false,
    reason: "AgentNotYetFound",
    message: "Agent not yet reserved",
  })),
];

function followAgent({ status }: Agent): Finding[] {
  const reserved: Finding = { type: "AgentReserved", status: true, reason: "AgentReserved" };
  const rest = followed.map((type): Finding => {
    const found = conditionOf(status?.conditions, type);
    return {
      type: typeOf(type),
      status: found?.status === "True",
      reason: found?.reason ?? "NotAvailable",
      message: found?.message ?? "",
    };
  });
  return [reserved, ...rest];
}

function addressesOf({ status }: Agent) {
  const inventory = status?.inventory;
  const ips = (inventory?.interfaces ?? []).flatMap(({ ipV4Addresses }) => ipV4Addresses);
  return [
    ...ips.map((cidr) => ({ type: "ExternalIP", address: cidr.replace(/\/.*/, "") })),
    { type: "InternalDNS", address: inventory?.hostname ?? "" },
  ];
}

/** Blocks the removal of a Machine until its agent is unbound. */
function setHook(cluster: KubeCluster, machine: KubeObject): void {
  const { namespace, name, annotations, deletionTimestamp } = machine.metadata;
  if (deletionTimestamp || annotations?.[deleteHook] !== undefined) return;
  cluster.mutate("Machine", namespace, name, (object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      annotations: { ...object.metadata.annotations, [deleteHook]: "" },
    },
  }));
}

/** Unbinds the agent; once it is free, removes the block of the Machine. */
function release(cluster: KubeCluster, machine: AgentMachine, owner: KubeObject): undefined {
  const agent = agentOf(cluster, machine);
  const isBound = agent?.metadata.labels?.[refLabel] === machine.metadata.uid;
  if (agent && isBound) unbind(cluster, agent);
  // `isBound` is from before the unbinding, whose own event causes another reconciliation.
  if (agent && (isBound || !released.includes(agent.status?.debugInfo?.state ?? ""))) {
    return undefined;
  }
  const { namespace, name } = owner.metadata;
  cluster.mutate("Machine", namespace, name, (object) => {
    const { [deleteHook]: _, ...annotations } = object.metadata.annotations ?? {};
    return { ...object, metadata: { ...object.metadata, annotations } };
  });
  removeFinalizer(cluster, machine, agentMachineFinalizer);
  return undefined;
}

function unbind(cluster: KubeCluster, agent: Agent): void {
  const { namespace, name } = agent.metadata;
  cluster.mutate("Agent", namespace, name, (object) => {
    const { [refLabel]: _, ...labels } = object.metadata.labels ?? {};
    const { clusterDeploymentName: __, ...spec } = read<Agent>(object).spec;
    const { [refNamespace]: ___, ...annotations } = object.metadata.annotations ?? {};
    return { ...object, metadata: { ...object.metadata, labels, annotations }, spec };
  });
}
