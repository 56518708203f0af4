import type { KubeCluster, KubeObject } from "../kubernetes/cluster.ts";

/** Blocks the object's removal until `finalizer` is removed. */
export function addFinalizer(cluster: KubeCluster, object: KubeObject, finalizer: string): void {
  setFinalizers(cluster, object, (present) =>
    present.includes(finalizer) ? present : [...present, finalizer],
  );
}

/** Removes the finalizer, and so the block; no effect if the object does not exist any more. */
export function removeFinalizer(cluster: KubeCluster, object: KubeObject, finalizer: string): void {
  setFinalizers(cluster, object, (present) => present.filter((one) => one !== finalizer));
}

function setFinalizers(
  cluster: KubeCluster,
  { kind, metadata: { namespace, name } }: KubeObject,
  change: (present: string[]) => string[],
): void {
  const live = cluster.get(kind, namespace, name);
  const present = live?.metadata.finalizers ?? [];
  const finalizers = change(present);
  if (!live || finalizers.length === present.length) return;
  cluster.mutate(kind, namespace, name, (object) => ({
    ...object,
    metadata: { ...object.metadata, finalizers },
  }));
}
