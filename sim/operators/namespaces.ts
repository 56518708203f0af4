import { durations } from "../durations.ts";
import type { KubeCluster, KubeObject } from "../kubernetes/cluster.ts";
import type { Controller } from "./control-loop.ts";
import type { Marks } from "./marks.ts";

/** The namespace controller: removes the objects of a namespace in deletion, kind by kind. */
export function namespaces(cluster: KubeCluster, marks: Marks): Controller {
  return {
    kind: "Namespace",
    reconcile({ metadata: { name, uid, deletionTimestamp } }) {
      if (!deletionTimestamp) return undefined;
      for (const [resource, objects] of contentsOf(cluster, name)) {
        const due = marks.begin(uid, `emptied of ${resource}`) + durations.namespaceKind;
        if (cluster.clock.now() < due) return due;
        for (const { kind, apiVersion, metadata } of objects) {
          // An object whose owner came earlier in the list may be removed already.
          if (!cluster.get(named(kind, apiVersion), name, metadata.name)) continue;
          cluster.delete(named(kind, apiVersion), name, metadata.name);
        }
      }
      // The removal of the last object with a finalizer removes the namespace.
      return undefined;
    },
    gone: ({ metadata }) => marks.forget(metadata.uid),
  };
}

/** The objects that are not in deletion yet, by resource. */
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

/** The unambiguous name of a kind: `Job.batch`. */
function named(kind: string, apiVersion: string): string {
  return `${kind}.${apiVersion.includes("/") ? apiVersion.split("/")[0] : ""}`;
}
