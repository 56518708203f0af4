import type { KubeObject } from "./object.ts";
import { isObject, type JsonObject, setAt, valueAt } from "./paths.ts";

/** The autoscaling/v1 Scale of an object with `spec.replicas` and `status.replicas`. */
export function readScale(object: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, ...(namespace && { namespace }), uid, resourceVersion, creationTimestamp },
    spec: { replicas: valueAt(object, ["spec", "replicas"]) ?? 0 },
    status: { replicas: valueAt(object, ["status", "replicas"]) ?? 0 },
  };
}

/** The object with the replicas of a Scale, whose resourceVersion is a precondition. */
export function withScale(object: KubeObject, scale: unknown): JsonObject {
  const scaled: JsonObject = structuredClone(object);
  setAt(scaled, ["spec", "replicas"], valueAt(scale, ["spec", "replicas"]));
  const resourceVersion = valueAt(scale, ["metadata", "resourceVersion"]);
  if (isObject(scaled.metadata) && resourceVersion)
    scaled.metadata.resourceVersion = resourceVersion;
  return scaled;
}
