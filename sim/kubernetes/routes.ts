import type { ResourceKind } from "./object.ts";
import type { KindRegistry } from "./registry.ts";
import { noSuchResource } from "./status.ts";

/** The object or the collection that a path under /api or /apis names. */
export interface Route {
  kind: ResourceKind;
  /** Absent at cluster scope, and when a list spans all namespaces. */
  namespace?: string;
  /** Absent for the collection. */
  name?: string;
  subresource?: "status" | "scale";
}

/**
 * `/api/v1/…` and `/apis/<group>/<version>/…`, then `[namespaces/<namespace>/]<plural>[/<name>[/<subresource>]]`.
 * Throws 404 when nothing is served there.
 */
export function parseRoute(pathname: string, kinds: KindRegistry): Route {
  const segments = pathname.split("/").filter(Boolean).map(decodeSegment);
  const [root, ...rest] = segments;
  if (root === "api") {
    const [version = "", ...path] = rest;
    return parseResource("", version, path, kinds);
  }
  if (root === "apis") {
    const [group = "", version = "", ...path] = rest;
    return parseResource(group, version, path, kinds);
  }
  throw noSuchResource();
}

function parseResource(group: string, version: string, path: string[], kinds: KindRegistry): Route {
  // "namespaces/x/status" is the subresource of namespace x, "namespaces/x/pods" are the pods in it.
  const [first, namespace, third] = path;
  const inNamespace =
    first === "namespaces" && namespace && third !== undefined && third !== "status";
  const [plural = "", name, subresource, ...tooMuch] = inNamespace ? path.slice(2) : path;
  const kind = kinds.at(group, version, plural);
  if (tooMuch.length > 0 || (inNamespace && !kind.namespaced)) throw noSuchResource();
  if (name !== undefined && kind.namespaced && !inNamespace) throw noSuchResource();
  const known = kind.subresources?.find((each) => each === subresource);
  if (subresource !== undefined && !known) throw noSuchResource();
  return {
    kind,
    ...(inNamespace && { namespace }),
    ...(name !== undefined && { name }),
    ...(known && { subresource: known }),
  };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw noSuchResource();
  }
}
