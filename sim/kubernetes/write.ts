import * as z from "zod";
import { contentType, objectAt, readBody } from "./body.ts";
import type { DeleteOptions, KubeCluster, WriteOptions } from "./cluster.ts";
import { type KubeObject, type ResourceKind, resourceName } from "./object.ts";
import { jsonPatch, mergePatch } from "./patch.ts";
import { type NamedRoute, selectorOf } from "./read.ts";
import { json, negotiate } from "./representation.ts";
import type { Route } from "./routes.ts";
import { readScale, withScale } from "./scale.ts";
import type { FieldValidation } from "./schema.ts";
import { badRequest, invalid, unsupportedMediaType } from "./status.ts";
import { strategicPatch } from "./strategic.ts";

export async function createObject(
  cluster: KubeCluster,
  route: Route,
  request: Request,
): Promise<Response> {
  const object = objectAt(route, await readBody(request));
  return write(cluster, route, request, (options) => cluster.create(object, options), 201);
}

export async function updateObject(
  cluster: KubeCluster,
  route: NamedRoute,
  request: Request,
): Promise<Response> {
  const body = await readBody(request);
  if (route.subresource === "scale") return patchScale(cluster, route, request, () => body);
  const object = objectAt(route, body);
  return write(cluster, route, request, (options) => cluster.update(object, options));
}

const jsonPatchType = "application/json-patch+json";
const mergePatchType = "application/merge-patch+json";
const strategicType = "application/strategic-merge-patch+json";
const applyType = "application/apply-patch+yaml";

export async function patchObject(
  cluster: KubeCluster,
  route: NamedRoute,
  request: Request,
): Promise<Response> {
  const { kind, namespace, name } = route;
  const type = contentType(request);
  const accepted = [
    jsonPatchType,
    mergePatchType,
    ...(kind.builtIn ? [strategicType] : []),
    applyType,
  ];
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
  const patch = await readBody(request);
  if (type === applyType) return applyObject(cluster, route, request, patch);

  const change = (object: KubeObject) => {
    if (type === jsonPatchType) return jsonPatch(object, patch);
    return type === strategicType ? strategicPatch(object, patch) : mergePatch(object, patch);
  };
  if (route.subresource === "scale") return patchScale(cluster, route, request, change);
  return write(cluster, route, request, (options) =>
    cluster.patch(qualified(kind), namespace, name, change, options),
  );
}

function applyObject(
  cluster: KubeCluster,
  route: NamedRoute,
  request: Request,
  body: unknown,
): Response {
  const query = new URL(request.url).searchParams;
  const fieldManager = query.get("fieldManager");
  if (!fieldManager) {
    const message = "Required value: is required for apply patch";
    throw invalid({ group: "meta.k8s.io", kind: "PatchOptions" }, "", [
      { reason: "FieldValueRequired", field: "fieldManager", message },
    ]);
  }
  const object = objectAt(route, body);
  const { kind, namespace = "", name } = route;
  const isNew = cluster.store.get(kind, { namespace, name }) === undefined;
  const force = query.get("force") === "true";
  return write(
    cluster,
    route,
    request,
    (options) => cluster.apply(object, { ...options, fieldManager, force }),
    isNew ? 201 : 200,
  );
}

/** Patches the Scale, and so the object's replicas. */
function patchScale(
  cluster: KubeCluster,
  route: NamedRoute,
  request: Request,
  change: (scale: KubeObject) => unknown,
): Response {
  const { kind, namespace, name } = route;
  const patch = (object: KubeObject) => withScale(object, change(readScale(object)));
  const { object } = perform(cluster, route, request, (options) =>
    cluster.patch(qualified(kind), namespace, name, patch, options),
  );
  return json(readScale(object));
}

export async function deleteObject(
  cluster: KubeCluster,
  route: NamedRoute,
  request: Request,
): Promise<Response> {
  const { kind, namespace, name } = route;
  const { options, dryRun } = await deleteOptions(request);
  const left = rehearsedIf(cluster, dryRun, () => {
    const object = cluster.delete(qualified(kind), namespace, name, options);
    // A namespace is answered as Terminating even when it was removed at once.
    const isHeld = cluster.store.get(kind, { namespace: namespace ?? "", name }) !== undefined;
    return { object, isHeld: isHeld || resourceName(kind) === "namespaces" };
  });
  if (left.isHeld) return json(negotiate(request, kind, cluster).object(left.object));
  const { uid } = left.object.metadata;
  return json({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, ...(kind.group !== "" && { group: kind.group }), kind: kind.plural, uid },
  });
}

export async function deleteCollection(
  cluster: KubeCluster,
  route: Route,
  request: Request,
): Promise<Response> {
  const { kind } = route;
  const selects = selectorOf(route, new URL(request.url).searchParams);
  const { options, dryRun } = await deleteOptions(request);
  const { uid: _, resourceVersion: __, ...each } = options;
  const deleted = rehearsedIf(cluster, dryRun, () =>
    cluster.store
      .list(kind, route.namespace)
      .filter(selects)
      .flatMap(({ metadata }) => {
        // An object whose owner came earlier in the list may be removed already.
        const { name, namespace } = metadata;
        const present = cluster.store.get(kind, { namespace: namespace ?? "", name });
        return present ? [cluster.delete(qualified(kind), namespace, name, each)] : [];
      }),
  );
  const resourceVersion = String(cluster.store.revision);
  return json(negotiate(request, kind, cluster).list(deleted, { resourceVersion }));
}

/** Writes, and answers with the object and the server's warnings. */
function write(
  cluster: KubeCluster,
  route: Route,
  request: Request,
  work: (options: WriteOptions) => KubeObject,
  code = 200,
): Response {
  const representation = negotiate(request, route.kind, cluster);
  const { object, warnings } = perform(cluster, route, request, work);
  const response = json(representation.object(object), code);
  for (const warning of warnings) {
    response.headers.append("warning", `299 - ${JSON.stringify(warning)}`);
  }
  return response;
}

/** Runs a write with the query parameters that every write accepts. */
function perform(
  cluster: KubeCluster,
  route: Route,
  request: Request,
  work: (options: WriteOptions) => KubeObject,
): { object: KubeObject; warnings: string[] } {
  const query = new URL(request.url).searchParams;
  const warnings: string[] = [];
  const options: WriteOptions = {
    fieldManager: query.get("fieldManager") || managerOf(request),
    fieldValidation: fieldValidation(query),
    warn: (message) => warnings.push(message),
    ...(route.subresource === "status" && { subresource: "status" }),
  };
  const dryRun = isDryRun(query.getAll("dryRun"));
  return { object: rehearsedIf(cluster, dryRun, () => work(options)), warnings };
}

/** The manager of a write: the fieldManager, else the client program: `kubectl/v1.32.4 (linux/amd64)` is kubectl. */
function managerOf(request: Request): string {
  const agent = request.headers.get("user-agent") ?? "";
  return agent.split("/")[0]?.trim() || "unknown";
}

/** The handling of unknown fields: strict by default; dropped only at the client's request. */
function fieldValidation(query: URLSearchParams): FieldValidation {
  const asked = query.get("fieldValidation") || "Strict";
  if (asked === "Strict" || asked === "Warn" || asked === "Ignore") return asked;
  throw badRequest(
    `fieldValidation: Unsupported value: "${asked}": supported values: "Ignore", "Warn", "Strict"`,
  );
}

function isDryRun(asked: string[]): boolean {
  const wrong = asked.find((value) => value !== "All" && value !== "");
  if (wrong) throw badRequest(`dryRun: Unsupported value: "${wrong}": supported values: "All"`);
  return asked.includes("All");
}

function rehearsedIf<T>(cluster: KubeCluster, dryRun: boolean, work: () => T): T {
  return dryRun ? cluster.rehearse(work) : work();
}

const deleteOptionsBody = z.looseObject({
  propagationPolicy: z.enum(["Background", "Foreground", "Orphan"]).nullish(),
  preconditions: z.object({ uid: z.string(), resourceVersion: z.string() }).partial().nullish(),
  dryRun: z.array(z.string()).nullish(),
});

/** Reads DeleteOptions from the body or the query. */
async function deleteOptions(
  request: Request,
): Promise<{ options: DeleteOptions; dryRun: boolean }> {
  const query = new URL(request.url).searchParams;
  const body = (await readBody(request)) ?? {
    propagationPolicy: query.get("propagationPolicy"),
    dryRun: query.getAll("dryRun"),
  };
  const parsed = deleteOptionsBody.safeParse(body);
  if (!parsed.success) throw badRequest(`DeleteOptions: ${z.prettifyError(parsed.error)}`);
  const { propagationPolicy, preconditions, dryRun } = parsed.data;
  return {
    options: { ...preconditions, ...(propagationPolicy && { propagationPolicy }) },
    dryRun: isDryRun(dryRun ?? []),
  };
}

/** The unambiguous name of a kind in the cluster. */
function qualified(kind: ResourceKind): string {
  return `${kind.kind}.${kind.group}`;
}
