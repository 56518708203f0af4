import { durations } from "../durations.ts";
import type { KubeCluster } from "../kubernetes/cluster.ts";
import { agentMachineFinalizer, deleteHook } from "./agent-machines.ts";
import { conditionOf, conditionsOf, type Finding, isTrue } from "./conditions.ts";
import type { Controller } from "./control-loop.ts";
import { removeFinalizer } from "./finalizers.ts";
import type { Hosted, HubWorld } from "./hub.ts";
import type { Marks } from "./marks.ts";
import { addNode, isNodeReady, setRunning, setWantedVersion } from "./nodes.ts";
import {
  type Agent,
  type AgentMachine,
  type Inventory,
  type Machine,
  type NodePool,
  nodePoolAnnotation,
  ownedBy,
  read,
} from "./objects.ts";

export const machineFinalizer = "machine.cluster.x-k8s.io";

/** Cluster API's Machine controller: creates and removes the node of a Machine. */
export function machines({ cluster, marks, hosted, servers }: HubWorld): Controller {
  return {
    kind: "Machine",
    also: { AgentMachine: ({ metadata }) => [metadata] },
    reconcile(object) {
      const machine = read<Machine>(object);
      const { namespace = "", name } = machine.metadata;
      const control = hosted.get(namespace);
      const found = cluster.get("AgentMachine", namespace, name);
      const infra = found && read<AgentMachine>(found);
      if (machine.metadata.deletionTimestamp)
        return remove(cluster, marks, machine, infra, control);
      if (!infra) {
        createInfrastructure(cluster, machine);
        return undefined;
      }
      const inventory = infra.status?.ready ? inventoryOf(cluster, infra) : undefined;
      const node = inventory?.hostname;
      if (inventory && control) {
        addNode(control.cluster, {
          name: inventory.hostname,
          version: machine.spec.version,
          gpus: inventory.gpus?.length ?? 0,
        });
        setWantedVersion(control.cluster, inventory.hostname, machine.spec.version);
        const runs = servers.runs(infra.status?.agentRef?.name ?? "");
        if (runs) setRunning(control.cluster, inventory.hostname, runs.system === "installed");
      }
      setStatus(cluster, machine, infra, control, node);
      return undefined;
    },
    gone: (object) => marks.forget(object.metadata.uid),
  };
}

/** Creates the AgentMachine of a Machine, with the NodePool's agent selector. */
function createInfrastructure(cluster: KubeCluster, machine: Machine): void {
  const { namespace = "", name, labels } = machine.metadata;
  const [poolNamespace, poolName = ""] = (
    machine.metadata.annotations?.[nodePoolAnnotation] ?? ""
  ).split("/");
  const pool = cluster.get("NodePool", poolNamespace, poolName);
  if (!pool) return;
  cluster.create({
    apiVersion: "capi-provider.agent-install.openshift.io/v1beta1",
    kind: "AgentMachine",
    metadata: {
      namespace,
      name,
      ...(labels && { labels }),
      finalizers: [agentMachineFinalizer],
      ownerReferences: [ownedBy(machine)],
    },
    spec: { agentLabelSelector: read<NodePool>(pool).spec.platform.agent.agentLabelSelector },
  });
}

/** The inventory of the machine's agent; the node has its hostname. */
function inventoryOf(cluster: KubeCluster, { status }: AgentMachine): Inventory | undefined {
  const ref = status?.agentRef;
  const agent = ref && cluster.get("Agent", ref.namespace, ref.name);
  return agent && read<Agent>(agent).status?.inventory;
}

function setStatus(
  cluster: KubeCluster,
  machine: Machine,
  infra: AgentMachine,
  control: Hosted | undefined,
  node: string | undefined,
): void {
  const { namespace, name } = machine.metadata;
  const isHealthy =
    node !== undefined && control !== undefined && isNodeReady(control.cluster, node);
  const ready = conditionOf(infra.status?.conditions, "Ready");
  const isReady = ready?.status === "True";
  const infrastructure = {
    status: isReady,
    reason: isReady ? "Ready" : (ready?.reason ?? "WaitingForInfrastructure"),
    message: ready?.message ?? "",
  };
  const findings: Finding[] = [
    { type: "Ready", ...infrastructure },
    { type: "BootstrapReady", status: true, reason: "Ready" },
    { type: "InfrastructureReady", ...infrastructure },
    node === undefined
      ? { type: "NodeHealthy", status: false, reason: "WaitingForNodeRef" }
      : {
          type: "NodeHealthy",
          status: isHealthy,
          reason: isHealthy ? "NodeReady" : "NodeConditionsFailed",
          message: isHealthy ? "" : "Node condition Ready is False",
        },
  ];
  const bound = infra.status?.agentRef ? "Provisioning" : "Pending";
  const status: NonNullable<Machine["status"]> = {
    phase: isHealthy ? "Running" : isReady ? "Provisioned" : bound,
    ...(node && { nodeRef: { kind: "Node", name: node } }),
    conditions: conditionsOf(machine.status?.conditions, findings, { now: cluster.clock.now() }),
  };
  cluster.patchStatus("Machine", namespace, name, () => ({ ...status }));
}

/** Drains the node, waits for the provider's hook, then removes AgentMachine and node. */
function remove(
  cluster: KubeCluster,
  marks: Marks,
  machine: Machine,
  infra: AgentMachine | undefined,
  control: Hosted | undefined,
): number | undefined {
  const { namespace, name, uid, annotations } = machine.metadata;
  const node = machine.status?.nodeRef?.name;
  const hasPods = node !== undefined && control !== undefined && isNodeReady(control.cluster, node);
  const drained = marks.begin(uid, "drain") + durations.drain;
  const isDrained = isTrue(machine.status?.conditions, "DrainingSucceeded");
  if (hasPods && !isDrained && cluster.clock.now() < drained) {
    setDeleting(cluster, machine, []);
    return drained;
  }
  if (annotations?.[deleteHook] !== undefined) {
    setDeleting(cluster, machine, [
      { type: "DrainingSucceeded", status: true, reason: "Drained" },
      {
        type: "PreTerminateDeleteHookSucceeded",
        status: false,
        reason: "WaitingExternalHook",
        message: `Waiting for ${deleteHook}`,
      },
    ]);
    return undefined;
  }
  if (infra) {
    if (!infra.metadata.deletionTimestamp) cluster.delete("AgentMachine", namespace, name);
    if (cluster.get("AgentMachine", namespace, name)) return undefined;
  }
  if (node && control?.cluster.get("Node", undefined, node))
    control.cluster.delete("Node", undefined, node);
  removeFinalizer(cluster, machine, machineFinalizer);
  return undefined;
}

function setDeleting(cluster: KubeCluster, machine: Machine, findings: Finding[]): void {
  const { namespace, name } = machine.metadata;
  const now = cluster.clock.now();
  cluster.patchStatus("Machine", namespace, name, (status) => ({
    ...status,
    phase: "Deleting",
    conditions: conditionsOf(
      machine.status?.conditions,
      [{ type: "Ready", status: false, reason: "Deleting" }, ...findings],
      { now },
    ),
  }));
}
