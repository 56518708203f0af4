import type { PrintColumn, ResourceKind } from "./object.ts";

/** A kind of a CustomResourceDefinition. */
export function customKind(
  group: string,
  version: string,
  kind: string,
  plural: string,
  rest: Partial<ResourceKind> = {},
): ResourceKind {
  const singular = kind.toLowerCase();
  const subresources: ResourceKind["subresources"] = ["status"];
  return { group, version, kind, plural, singular, namespaced: true, subresources, ...rest };
}

export const column = (
  name: string,
  path: string,
  type: PrintColumn["type"] = "string",
): PrintColumn => ({ name, type, path });

export const conditionColumn = (name: string, type: string, field = "status"): PrintColumn =>
  column(name, `.status.conditions[?(@.type=="${type}")].${field}`);
