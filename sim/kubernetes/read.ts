import type { Clock } from "../../core/clock.ts";
import { isTrue } from "./authorization.ts";
import type { KubeCluster } from "./cluster.ts";
import type { KubeObject } from "./object.ts";
import { json, negotiate } from "./representation.ts";
import type { Route } from "./routes.ts";
import { readScale } from "./scale.ts";
import { both, fieldSelector, labelSelector, type Selector } from "./selectors.ts";
import { badRequest, expired, notFound } from "./status.ts";
import type { ObjectKey } from "./store.ts";
import { parseVersion, watchResponse } from "./watch.ts";

export type NamedRoute = Route & { name: string };

export function getObject(cluster: KubeCluster, route: NamedRoute, request: Request): Response {
  const { kind, namespace = "", name } = route;
  const object = cluster.store.get(kind, { namespace, name });
  if (!object) throw notFound(kind, name);
  if (route.subresource === "scale") return json(readScale(object));
  return json(negotiate(request, kind, cluster).object(object));
}

export function listObjects(
  cluster: KubeCluster,
  route: Route,
  request: Request,
  wall: Clock,
): Response {
  const { kind } = route;
  const query = new URL(request.url).searchParams;
  const representation = negotiate(request, kind, cluster);
  const selects = selectorOf(route, query);
  if (isTrue(query.get("watch"))) {
    const { signal } = request;
    return watchResponse(cluster, { kind, selects, representation, query, signal, wall });
  }
  const { items, ...metadata } = page(cluster, route, query, selects);
  return json(representation.list(items, metadata));
}

/** The namespace of the path and the selectors of the query. */
export function selectorOf({ kind, namespace }: Route, query: URLSearchParams): Selector {
  const inNamespace: Selector = (object) =>
    namespace === undefined || object.metadata.namespace === namespace;
  const labels = labelSelector(query.get("labelSelector") ?? undefined);
  const fields = fieldSelector(query.get("fieldSelector") ?? undefined, kind);
  return both(inNamespace, both(labels, fields));
}

interface Page {
  resourceVersion: string;
  continue?: string;
  remainingItemCount?: number;
  items: KubeObject[];
}

/**
 * One page of a list. Later pages have the resourceVersion of the first one, so that a watch from it receives the
 * changes since then.
 */
function page(
  cluster: KubeCluster,
  { kind, namespace }: Route,
  query: URLSearchParams,
  selects: Selector,
): Page {
  const token = query.get("continue");
  const from = token ? parseToken(token) : undefined;
  const { revision, compacted } = cluster.store;
  if (from && from.revision < compacted) {
    throw expired(
      "The provided continue parameter is too old to display a consistent list result. You must start a new list without the continue parameter.",
    );
  }
  const minimum = parseVersion(query.get("resourceVersion"));
  const exact = query.get("resourceVersionMatch") === "Exact";
  if (exact && minimum !== undefined && minimum < revision) {
    throw expired(`The resourceVersion for the provided list is too old.`);
  }
  const resourceVersion = String(from?.revision ?? revision);
  const found = cluster.store.list(kind, namespace, from?.after).filter(selects);
  const limit = Number(query.get("limit") ?? 0);
  const items = limit > 0 ? found.slice(0, limit) : found;
  const last = items.at(-1)?.metadata;
  if (!last || items.length === found.length) return { resourceVersion, items };

  const after = { namespace: last.namespace ?? "", name: last.name };
  const isFiltered = query.get("labelSelector") || query.get("fieldSelector");
  return {
    resourceVersion,
    continue: writeToken({ revision: Number(resourceVersion), after }),
    ...(!isFiltered && { remainingItemCount: found.length - items.length }),
    items,
  };
}

interface Token {
  revision: number;
  after: ObjectKey;
}

function writeToken({ revision, after }: Token): string {
  return Buffer.from(JSON.stringify([revision, after.namespace, after.name])).toString("base64url");
}

function parseToken(token: string): Token {
  try {
    const [revision, namespace, name] = JSON.parse(Buffer.from(token, "base64url").toString());
    return {
      revision: Number(revision),
      after: { namespace: String(namespace), name: String(name) },
    };
  } catch {
    throw badRequest("continue key is not valid");
  }
}
