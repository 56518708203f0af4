import { durations } from "../durations.ts";
import type { KubeCluster, KubeObject } from "../kubernetes/cluster.ts";
import type { Controller } from "./control-loop.ts";
import type { Marks } from "./marks.ts";

/** The namespace controller: takes away what is in a namespace that is being removed, kind by kind. */
export function namespaces(cluster: KubeCluster, marks: Marks): Controller {
  return {
    kind: "Namespace",
    reconcile({ metadata: { name, uid, deletionTimestamp } }) {
      if (!deletionTimestamp) return undefined;
      for (const [resource, objects] of contentsOf(cluster, name)) {
        const due = marks.begin(uid, `emptied of ${resource}`) + durations.namespaceKind;
        if (cluster.clock.now() < due) return due;
        for (const { kind, apiVersion, metadata } of objects) {
          // Gone already when an earlier one owned it.
          if (!cluster.get(named(kind, apiVersion), name, metadata.name)) continue;
          cluster.delete(named(kind, apiVersion), name, metadata.name);
        }
      }
      // The last of what finalizers hold takes the namespace with it.
      return undefined;
    },
    gone: ({ metadata }) => marks.forget(metadata.uid),
  };
}

/** What is not on its way out yet, by resource, in their order. */
function contentsOf(cluster: KubeCluster, namespace: string): [string, KubeObject[]][] {
  const objects = cluster.store.inNamespace(namespace).flatMap(({ resource, ...key }) => {
    const kind = cluster.kinds.resource(resource);
    const object = kind && cluster.store.get(kind, key);
    return object && !object.metadata.deletionTimestamp ? [{ resource, object }] : [];
  });
  const byResource = Map.groupBy(objects, ({ resource }) => resource);
  return [...byResource]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, found]) => [resource, found.map(({ object }) => object)]);
}

/** The kind without doubt: `Job.batch`. */
function named(kind: string, apiVersion: string): string {
  return `${kind}.${apiVersion.includes("/") ? apiVersion.split("/")[0] : ""}`;
}
