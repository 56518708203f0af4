import { durations } from "../durations.ts";
import type { KubeCluster } from "../kubernetes/cluster.ts";
import { conditionsOf } from "./conditions.ts";
import { removeFinalizer } from "./finalizers.ts";
import type { HubWorld } from "./hub.ts";
import {
  controlPlaneNamespace,
  type HostedCluster,
  hypershiftFinalizer,
  type NodePool,
  read,
} from "./objects.ts";

/**
 * Removes a HostedCluster: first its node pools, which wait for their agents; then the control plane; then the object.
 * Returns when to check again.
 */
export function removeHostedCluster(world: HubWorld, hosted: HostedCluster): number | undefined {
  const { cluster, marks } = world;
  const { namespace, name, uid } = hosted.metadata;
  const wasAccepted = marks.get(uid, "accepted") !== undefined;
  const { pullSecret } = hosted.spec;
  if (wasAccepted && !cluster.get("Secret", namespace, pullSecret.name)) {
    // The operator reads the pull secret in every reconciliation, even during the removal.
    reportStuck(
      cluster,
      hosted,
      `failed to get pull secret: Secret "${pullSecret.name}" not found`,
    );
    return undefined;
  }
  const pools = cluster
    .list("NodePool", namespace === undefined ? {} : { namespace })
    .filter((pool) => read<NodePool>(pool).spec.clusterName === name);
  for (const { metadata } of pools) {
    if (!metadata.deletionTimestamp) cluster.delete("NodePool", metadata.namespace, metadata.name);
  }
  const left = pools.filter(({ metadata }) => cluster.get("NodePool", namespace, metadata.name));
  if (left.length > 0) return undefined;

  if (wasAccepted) {
    const end = marks.begin(uid, "teardown") + durations.teardown;
    if (cluster.clock.now() < end) return end;
  }
  const controlNamespace = controlPlaneNamespace(hosted);
  world.hosted.close(controlNamespace);
  deleteLegacyRole(cluster, hosted);
  const found = cluster.get("Namespace", undefined, controlNamespace);
  if (found && !found.metadata.deletionTimestamp) {
    cluster.delete("Namespace", undefined, controlNamespace);
  }
  if (cluster.get("Namespace", undefined, controlNamespace)) return undefined;
  removeFinalizer(cluster, hosted, hypershiftFinalizer);
  return undefined;
}

/**
 * With any removed cluster, HyperShift deletes the Role that its older versions shared (agent.go, DeleteCredentials).
 */
function deleteLegacyRole(cluster: KubeCluster, { spec }: HostedCluster): void {
  const { agentNamespace } = spec.platform.agent;
  if (!cluster.get("Role", agentNamespace, "capi-provider-role")) return;
  cluster.delete("Role", agentNamespace, "capi-provider-role");
}

function reportStuck(cluster: KubeCluster, { metadata, status }: HostedCluster, message: string) {
  const type = "ReconciliationSucceeded";
  const conditions = status?.conditions ?? [];
  const moment = { now: cluster.clock.now(), generation: metadata.generation };
  const stuck = { type, status: false, reason: "ReconciliationError", message };
  cluster.patchStatus("HostedCluster", metadata.namespace, metadata.name, (current) => ({
    ...current,
    conditions: [
      ...conditions.filter((condition) => condition.type !== type),
      ...conditionsOf(conditions, [stuck], moment),
    ],
  }));
}
