import { readYaml } from "../../core/kernel/input/yaml.ts";
import { apiVersionOf, type KubeInput } from "./object.ts";
import { isObject } from "./paths.ts";
import { decodeProtobuf } from "./protobuf.ts";
import type { Route } from "./routes.ts";
import { badRequest, unsupportedMediaType } from "./status.ts";

/** The media type of the body, without parameters. */
export function contentType(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";")[0]?.trim() ?? "";
}

const accepted = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];

/** The body as JSON, whatever its media type. Throws 400 and 415. */
export async function readBody(request: Request): Promise<unknown> {
  const type = contentType(request);
  if (type === "application/vnd.kubernetes.protobuf") {
    const object = decodeProtobuf(new Uint8Array(await request.arrayBuffer()));
    if (!object) throw unsupportedMediaType(accepted.slice(0, 2));
    return object;
  }
  const isYaml = /[/+]yaml$/.test(type);
  if (!isYaml && type !== "" && !/[/+]json$/.test(type) && type !== "text/plain") {
    throw unsupportedMediaType(accepted);
  }
  const text = await request.text();
  if (text === "") return undefined;
  try {
    return isYaml ? yamlIn(text) : JSON.parse(text);
  } catch (error) {
    throw badRequest(`error decoding the body: ${error instanceof Error ? error.message : error}`);
  }
}

/** Parses YAML, of which JSON is a part. */
function yamlIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return readYaml(text);
  }
}

/** Checks that the object matches the path. Throws 400 where it does not. */
export function objectAt(route: Route, body: unknown): KubeInput {
  const { kind, namespace } = route;
  if (!isObject(body)) throw badRequest("the body of the request holds no object");
  const apiVersion = apiVersionOf(kind);
  if (body.apiVersion !== undefined && body.apiVersion !== apiVersion) {
    throw badRequest(
      `the API version in the data (${String(body.apiVersion)}) does not match the expected API version (${apiVersion})`,
    );
  }
  if (body.kind !== undefined && body.kind !== kind.kind) {
    throw badRequest(
      `the kind in the data (${String(body.kind)}) does not match the expected kind (${kind.kind})`,
    );
  }
  const metadata = isObject(body.metadata) ? body.metadata : {};
  if (metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
  if (metadata.name && route.name !== undefined && metadata.name !== route.name) {
    throw badRequest(
      `the name of the object (${String(metadata.name)}) does not match the name on the URL (${route.name})`,
    );
  }
  return {
    ...body,
    apiVersion,
    kind: kind.kind,
    metadata: {
      ...metadata,
      ...(route.name !== undefined && { name: route.name }),
      ...(namespace !== undefined && { namespace }),
    },
  };
}
