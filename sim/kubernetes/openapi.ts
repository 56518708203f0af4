import * as z from "zod";
import { apiVersionOf, type ResourceKind } from "./object.ts";
import type { KindRegistry } from "./registry.ts";

/**
 * `/openapi/v3` and its document for each group version: enough for kubectl to detect field validation and dry runs,
 * and for `kubectl explain`. Undefined for other paths.
 */
export function openApi(pathname: string, kinds: KindRegistry): object | undefined {
  const groups = kinds.groups;
  if (pathname === "/openapi/v3") {
    const paths = groups.map((group) => {
      const serverRelativeURL = `/openapi/v3/${rootOf(group)}`;
      return [rootOf(group), { serverRelativeURL }];
    });
    return { paths: Object.fromEntries(paths) };
  }
  const group = groups.find((each) => pathname === `/openapi/v3/${rootOf(each)}`);
  return group && documentOf(group, kinds);
}

interface GroupVersion {
  group: string;
  version: string;
}

function rootOf(group: GroupVersion): string {
  return `${group.group === "" ? "api" : "apis"}/${apiVersionOf(group)}`;
}

function documentOf(group: GroupVersion, kinds: KindRegistry): object {
  const served = kinds.all.filter((kind) => apiVersionOf(kind) === apiVersionOf(group));
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: "v1.32.0" },
    paths: Object.fromEntries(served.map((kind) => [pathOf(kind), pathItem(kind)])),
    components: {
      schemas: Object.fromEntries(served.map((kind) => [schemaName(kind), schemaOf(kind)])),
    },
  };
}

function pathOf(kind: ResourceKind): string {
  const scope = kind.namespaced ? "namespaces/{namespace}/" : "";
  return `/${rootOf(kind)}/${scope}${kind.plural}/{name}`;
}

function pathItem(kind: ResourceKind): object {
  const content = {
    "application/json": { schema: { $ref: `#/components/schemas/${schemaName(kind)}` } },
  };
  const responses = { "200": { description: "OK", content } };
  const gvk = { "x-kubernetes-group-version-kind": gvkOf(kind) };
  const parameters = ["dryRun", "fieldManager", "fieldValidation"].map((name) => ({
    name,
    in: "query",
    schema: { type: "string" },
  }));
  return {
    get: { "x-kubernetes-action": "get", ...gvk, responses },
    patch: { "x-kubernetes-action": "patch", ...gvk, parameters, responses },
  };
}

function schemaOf(kind: ResourceKind): object {
  const { $schema: _, ...schema } = kind.spec
    ? z.toJSONSchema(kind.spec, { io: "input", target: "openapi-3.0", unrepresentable: "any" })
    : { $schema: "", type: "object" };
  return { ...schema, "x-kubernetes-group-version-kind": [gvkOf(kind)] };
}

function gvkOf({ group, version, kind }: ResourceKind): object {
  return { group, version, kind };
}

function schemaName({ group, version, kind }: ResourceKind): string {
  return [
    ...(group === "" ? ["io.k8s.api.core"] : group.split(".").toReversed()),
    version,
    kind,
  ].join(".");
}
