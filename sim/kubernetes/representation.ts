import type { KubeCluster } from "./cluster.ts";
import type { KubeObject, ResourceKind } from "./object.ts";
import { KubeError, type Status } from "./status.ts";
import { partialMetadata, table } from "./table.ts";

/** The requested form of objects: whole, as rows of a table, or their metadata only. */
export interface Representation {
  object(object: KubeObject): object;
  list(objects: KubeObject[], metadata: object): object;
}

/** Reads the Accept header, and chooses the first form in it that is served. Throws 406 when none is. */
export function negotiate(
  request: Request,
  kind: ResourceKind,
  cluster: KubeCluster,
): Representation {
  const accepted = (request.headers.get("accept") ?? "*/*").split(",").map(mediaType);
  const chosen = accepted.find(({ type, as }) => isJson(type) && (!as || isServed(as)));
  if (!chosen) {
    const message =
      "only the following media types are accepted: application/json, application/json;as=Table;v=v1;g=meta.k8s.io";
    throw new KubeError(406, "NotAcceptable", message);
  }
  const include = new URL(request.url).searchParams.get("includeObject");
  if (chosen.as === "Table") {
    const rows = (objects: KubeObject[], metadata: object) =>
      table(kind, objects, metadata, include, cluster.clock.now());
    return {
      object: (object) => rows([object], { resourceVersion: object.metadata.resourceVersion }),
      list: rows,
    };
  }
  if (chosen.as) {
    return {
      object: partialMetadata,
      list: (objects, metadata) => ({
        kind: "PartialObjectMetadataList",
        apiVersion: "meta.k8s.io/v1",
        metadata,
        items: objects.map(partialMetadata),
      }),
    };
  }
  return {
    object: (object) => object,
    list: (items, metadata) => ({
      kind: `${kind.kind}List`,
      apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`,
      metadata,
      items,
    }),
  };
}

export function json(body: object, code = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status: code, headers });
}

export function statusResponse(status: Status): Response {
  return json(status, status.code);
}

function mediaType(text: string): { type: string; as: string | undefined } {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim());
  const as = parameters.find((parameter) => parameter.startsWith("as="));
  return { type, as: as?.slice(3) };
}

function isJson(type: string): boolean {
  return ["application/json", "application/*", "*/*"].includes(type);
}

function isServed(as: string): boolean {
  return ["Table", "PartialObjectMetadata", "PartialObjectMetadataList"].includes(as);
}
