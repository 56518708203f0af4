import { durations } from "../durations.ts";
import type { KubeCluster } from "../kubernetes/cluster.ts";
import type { Controller } from "../operators/control-loop.ts";
import type { Marks } from "../operators/marks.ts";
import { readyNodes } from "../operators/nodes.ts";
import { read } from "../operators/objects.ts";
import { type Package, packageOf } from "./catalog.ts";
import type { OperatorGroupObject, ServiceVersion } from "./objects.ts";

type Status = NonNullable<ServiceVersion["status"]>;

/**
 * OLM's operator of ClusterServiceVersions: runs the operator of each installed version once a node has room.
 */
export function serviceVersions(cluster: KubeCluster, marks: Marks): Controller {
  const all = () => cluster.list("ClusterServiceVersion").map(({ metadata }) => metadata);
  return {
    kind: "ClusterServiceVersion",
    also: { Node: all, OperatorGroup: all },
    reconcile({ metadata }) {
      const { uid, namespace = "", name } = metadata;
      const found = packageOf(name);
      const set = (status: Status) =>
        cluster.patchStatus("ClusterServiceVersion", namespace, name, () => ({ ...status }));
      const wrong = found && wrongGroup(cluster, namespace, found);
      if (wrong) {
        set({ phase: "Failed", ...wrong });
        return undefined;
      }
      const began =
        readyNodes(cluster) > 0 ? marks.begin(uid, "running") : marks.get(uid, "running");
      const due = began === undefined ? undefined : began + durations.guest.rollout;
      if (due === undefined || cluster.clock.now() < due) {
        set(installing(found?.deployment ?? name));
        return due;
      }
      marks.begin(uid, "succeeded");
      const message = "install strategy completed with no errors";
      set({ phase: "Succeeded", reason: "InstallSucceeded", message });
      return undefined;
    },
    gone: ({ metadata }) => marks.forget(metadata.uid),
  };
}

function installing(deployment: string): Status {
  const message = `installing: waiting for deployment ${deployment} to become ready: deployment "${deployment}" not available: Deployment does not have minimum availability.`;
  return { phase: "Installing", reason: "InstallWaiting", message };
}

/**
 * Why an operator cannot run: its namespace does not have exactly one OperatorGroup, or has one with an install mode
 * that the operator does not support.
 */
function wrongGroup(
  cluster: KubeCluster,
  namespace: string,
  { installModes }: Package,
): Pick<Status, "reason" | "message"> | undefined {
  const [group, ...others] = cluster.list("OperatorGroup", { namespace });
  if (!group) {
    return { reason: "NoOperatorGroup", message: "csv in namespace with no operatorgroups" };
  }
  if (others.length > 0) {
    const message =
      "csv created in namespace with multiple operatorgroups, can't pick one automatically";
    return { reason: "TooManyOperatorGroups", message };
  }
  const isOwn = (read<OperatorGroupObject>(group).spec?.targetNamespaces ?? []).length > 0;
  const mode = isOwn ? "OwnNamespace" : "AllNamespaces";
  if (installModes.includes(mode)) return undefined;
  const what = isOwn ? "own namespace" : "all namespaces";
  const message = `${mode} InstallModeType not supported, cannot configure to watch ${what}`;
  return { reason: "UnsupportedOperatorGroup", message };
}

/**
 * The namespace where a package's operator runs, and the time of its start (ms since the epoch); undefined while it
 * does not run.
 */
export function running(
  cluster: KubeCluster,
  marks: Marks,
  packageName: string,
): { namespace: string; since: number } | undefined {
  const version = cluster
    .list("ClusterServiceVersion")
    .find(({ metadata }) => packageOf(metadata.name)?.name === packageName);
  if (!version || read<ServiceVersion>(version).status?.phase !== "Succeeded") return undefined;
  const { uid, namespace = "" } = version.metadata;
  const since = marks.get(uid, "succeeded");
  return since === undefined ? undefined : { namespace, since };
}
