import type { KubeCluster } from "../kubernetes/cluster.ts";
import { lookUpRelease } from "../release.ts";
import { conditionOf, conditionsOf, type Finding, isTrue } from "./conditions.ts";
import type { Controller } from "./control-loop.ts";
import { addFinalizer, removeFinalizer } from "./finalizers.ts";
import type { HubWorld } from "./hub.ts";
import { isAt, type Looked, skewOf, updateInPlace } from "./in-place.ts";
import { machineFinalizer } from "./machines.ts";
import {
  controlPlaneNamespace,
  type HostedCluster,
  hypershiftFinalizer,
  type Machine,
  type NodePool,
  nodePoolAnnotation,
  ownedBy,
  read,
} from "./objects.ts";

/** Marks the Machine to remove when its pool is scaled down. */
const deleteAnnotation = "cluster.x-k8s.io/delete-machine";

/** HyperShift's NodePool controller, including Cluster API's machine sets. */
export function nodePools(world: HubWorld): Controller {
  const { cluster } = world;
  return {
    kind: "NodePool",
    also: {
      HostedCluster: ({ metadata: { namespace, name } }) =>
        cluster
          .list("NodePool", namespace === undefined ? {} : { namespace })
          .filter((pool) => read<NodePool>(pool).spec.clusterName === name)
          .map(({ metadata }) => metadata),
      Machine: ({ metadata }) => {
        const [namespace, name] = metadata.annotations?.[nodePoolAnnotation]?.split("/") ?? [];
        return name ? [{ namespace, name }] : [];
      },
    },
    reconcile(object) {
      const pool = read<NodePool>(object);
      if (pool.metadata.deletionTimestamp) {
        remove(cluster, pool);
        return undefined;
      }
      const { namespace } = pool.metadata;
      const found = cluster.get("HostedCluster", namespace, pool.spec.clusterName);
      if (!found || found.metadata.deletionTimestamp) return undefined;
      const hosted = read<HostedCluster>(found);
      adopt(cluster, pool, hosted);
      const release = lookUpRelease(pool.spec.release.image);
      const skew = skewOf(hosted, release);
      const isUp = hosted.status?.ignitionEndpoint !== undefined && "version" in release;
      if (isUp && !skew) {
        scale(world, pool, hosted, release.version);
        updateInPlace(world, hosted, liveMachinesOf(cluster, pool), release.version);
      }
      setStatus(world, pool, hosted, { release, skew });
      return undefined;
    },
  };
}

function machinesOf(cluster: KubeCluster, { metadata }: NodePool): Machine[] {
  const pool = `${metadata.namespace}/${metadata.name}`;
  return cluster
    .list("Machine")
    .filter((machine) => machine.metadata.annotations?.[nodePoolAnnotation] === pool)
    .map((machine) => read<Machine>(machine));
}

const liveMachinesOf = (cluster: KubeCluster, pool: NodePool): Machine[] =>
  machinesOf(cluster, pool).filter(({ metadata }) => !metadata.deletionTimestamp);

function adopt(cluster: KubeCluster, pool: NodePool, hosted: HostedCluster): void {
  addFinalizer(cluster, pool, hypershiftFinalizer);
  if (pool.metadata.ownerReferences) return;
  const { namespace, name } = pool.metadata;
  cluster.mutate("NodePool", namespace, name, (object) => ({
    ...object,
    metadata: { ...object.metadata, ownerReferences: [ownedBy(hosted)] },
  }));
}

function scale(world: HubWorld, pool: NodePool, hosted: HostedCluster, version: string): void {
  const { cluster } = world;
  const live = liveMachinesOf(cluster, pool);
  for (let missing = pool.spec.replicas - live.length; missing > 0; missing--) {
    cluster.create({
      apiVersion: "cluster.x-k8s.io/v1beta1",
      kind: "Machine",
      metadata: {
        generateName: `${pool.metadata.name}-`,
        namespace: controlPlaneNamespace(hosted),
        labels: { "cluster.x-k8s.io/cluster-name": hosted.spec.infraID },
        annotations: {
          [nodePoolAnnotation]: `${pool.metadata.namespace}/${pool.metadata.name}`,
        },
        finalizers: [machineFinalizer],
      },
      spec: { clusterName: hosted.spec.infraID, version },
    });
  }
  const surplus = Math.max(0, live.length - pool.spec.replicas);
  for (const { metadata } of victims(live, surplus, world.random)) {
    cluster.delete("Machine", metadata.namespace, metadata.name);
  }
}

/** The machines to remove, in CAPI's order: first the marked ones, then those without a healthy node, then any. */
function victims(live: Machine[], count: number, random: () => number): Machine[] {
  if (count === 0) return [];
  const rank = ({ metadata, status }: Machine) => {
    if (metadata.annotations?.[deleteAnnotation] !== undefined) return 0;
    return isTrue(status?.conditions, "NodeHealthy") ? 2 : 1;
  };
  return live
    .map((machine) => ({ machine, rank: rank(machine), lot: random() }))
    .toSorted((a, b) => a.rank - b.rank || a.lot - b.lot)
    .slice(0, count)
    .map(({ machine }) => machine);
}

function setStatus(
  world: HubWorld,
  pool: NodePool,
  hosted: HostedCluster,
  { release, skew }: { release: Looked; skew: string | undefined },
): void {
  const { cluster } = world;
  const { namespace, name, generation } = pool.metadata;
  const machines = liveMachinesOf(cluster, pool);
  const healthy = machines.filter(({ status }) => isTrue(status?.conditions, "NodeHealthy")).length;
  const isComplete = healthy === pool.spec.replicas && machines.length === healthy;
  const target = "version" in release && !skew ? release.version : undefined;
  const updated = machines.filter(
    (machine) => target !== undefined && isAt(world, hosted, machine, target),
  ).length;
  const before = pool.status?.version;
  const isUpdated = isComplete && updated === machines.length;
  const isUpdating =
    target !== undefined && before !== undefined && before !== target && !isUpdated;
  const progress = `Updating version in progress. Target version: "${target}". Total Nodes: ${machines.length}. Upgraded: ${updated}`;
  const findings: Finding[] = [
    ...validity(pool, hosted, release),
    skew
      ? { type: "SupportedVersionSkew", status: false, reason: "UnsupportedSkew", message: skew }
      : { type: "SupportedVersionSkew", status: true, ...asExpected },
    {
      type: "UpdatingVersion",
      status: isUpdating,
      ...asExpected,
      message: isUpdating ? progress : "",
    },
    ...(hosted.status?.ignitionEndpoint === undefined
      ? []
      : machineFindings(pool, machines, isComplete)),
  ];
  const moment = { now: cluster.clock.now(), generation };
  const version = target !== undefined && isUpdated ? target : before;
  const status: NonNullable<NodePool["status"]> = {
    replicas: healthy,
    ...(version && { version }),
    conditions: conditionsOf(pool.status?.conditions, findings, moment),
  };
  cluster.patchStatus("NodePool", namespace, name, () => ({ ...status }));
}

const asExpected = { reason: "AsExpected" };
const allIsWell = { ...asExpected, message: "All is well" };

function validity(pool: NodePool, hosted: HostedCluster, release: Looked): Finding[] {
  const isIgnitable = hosted.status?.ignitionEndpoint !== undefined;
  return [
    { type: "AutoscalingEnabled", status: false, ...asExpected },
    { type: "UpdateManagementEnabled", status: true, ...asExpected },
    "refusal" in release
      ? {
          type: "ValidReleaseImage",
          status: false,
          reason: "ValidationFailed",
          message: `failed to get release image: ${release.refusal}`,
        }
      : {
          type: "ValidReleaseImage",
          status: true,
          ...asExpected,
          message: `Using release image: ${pool.spec.release.image}`,
        },
    { type: "ValidMachineConfig", status: true, ...asExpected },
    { type: "ValidPlatformConfig", status: true, ...allIsWell },
    { type: "UpdatingConfig", status: false, ...asExpected },
    {
      type: "ReconciliationActive",
      status: true,
      reason: "ReconciliationActive",
      message: "Reconciliation active on resource",
    },
    ...(isIgnitable
      ? []
      : [
          {
            type: "IgnitionEndpointAvailable",
            status: false,
            reason: "IgnitionEndpointMissing",
            message: "Ignition endpoint not available, waiting",
          },
        ]),
  ];
}

function machineFindings(pool: NodePool, machines: Machine[], isComplete: boolean): Finding[] {
  const reached = machines.some(({ status }) => status?.nodeRef !== undefined);
  return [
    reached
      ? { type: "ReachedIgnitionEndpoint", status: true, ...asExpected }
      : { type: "ReachedIgnitionEndpoint", status: false, reason: "ignitionNotReached" },
    aggregate("AllMachinesReady", "Ready", pool, machines),
    aggregate("AllNodesHealthy", "NodeHealthy", pool, machines),
    isComplete
      ? { type: "Ready", status: true, ...asExpected }
      : {
          type: "Ready",
          status: false,
          reason: "NotReady",
          message: "Waiting for all replicas to be ready nodes",
        },
  ];
}

/**
 * A condition of the pool from the conditions of all machines; the message names each that fails: `Machine x: reason:
 * message`.
 */
function aggregate(type: string, from: string, pool: NodePool, machines: Machine[]): Finding {
  if (machines.length === 0 && pool.spec.replicas > 0) {
    return { type, status: false, reason: "NotFound", message: "No Machines are created" };
  }
  const failing = machines.filter(({ status }) => !isTrue(status?.conditions, from));
  if (failing.length === 0) return { type, status: true, ...allIsWell };
  const reasons = failing.map(({ status }) => conditionOf(status?.conditions, from)?.reason);
  const lines = failing.map(({ metadata, status }) => {
    const condition = conditionOf(status?.conditions, from);
    const why = [condition?.reason ?? "NotReady", condition?.message].filter(Boolean).join(": ");
    return `Machine ${metadata.name}: ${why}`;
  });
  return { type, status: false, reason: reasons[0] ?? "NotReady", message: lines.join("\n") };
}

function remove(cluster: KubeCluster, pool: NodePool): void {
  const machines = machinesOf(cluster, pool);
  for (const { metadata } of machines) {
    if (!metadata.deletionTimestamp) cluster.delete("Machine", metadata.namespace, metadata.name);
  }
  if (machines.length === 0) removeFinalizer(cluster, pool, hypershiftFinalizer);
}
