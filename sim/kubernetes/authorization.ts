import type { Route } from "./routes.ts";
import { forbidden, methodNotAllowed } from "./status.ts";

export type Verb =
  | "get"
  | "list"
  | "watch"
  | "create"
  | "update"
  | "patch"
  | "delete"
  | "deletecollection";

export interface User {
  name: string;
  groups: string[];
}

/** The attributes of a request for RBAC. */
export interface Attributes {
  user: string;
  groups: string[];
  /** A `Verb`, or another verb in an access review. */
  verb: string;
  group: string;
  /** The plural, with `/status` or `/scale` for a subresource. */
  resource: string;
  namespace?: string;
  name?: string;
}

/** The verb of a request. Throws 405 for a method that no resource supports. */
export function verbOf(request: Request, route: Route): Verb {
  const watch = new URL(request.url).searchParams.get("watch");
  const isNamed = route.name !== undefined;
  switch (request.method) {
    case "GET":
      if (isNamed) return "get";
      return isTrue(watch) ? "watch" : "list";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return isNamed ? "delete" : "deletecollection";
    default:
      throw methodNotAllowed();
  }
}

/** Whether a boolean parameter is true: `true`, `1` or empty. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== "false" && value !== "0";
}

/**
 * Throws 403 with the RBAC authorizer's message, unless `authorize` permits the request. Without `authorize` everything
 * is permitted.
 */
export function requireAllowed(
  { user, verb, route }: { user: User; verb: Verb; route: Route },
  authorize?: (attributes: Attributes) => boolean,
): void {
  const { kind, namespace, name, subresource } = route;
  const resource = subresource ? `${kind.plural}/${subresource}` : kind.plural;
  const attributes: Attributes = {
    user: user.name,
    groups: user.groups,
    verb,
    group: kind.group,
    resource,
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
  };
  if (!authorize || authorize(attributes)) return;
  const scope =
    namespace === undefined ? "at the cluster scope" : `in the namespace "${namespace}"`;
  const why = `User "${user.name}" cannot ${verb} resource "${resource}" in API group "${kind.group}" ${scope}`;
  throw forbidden(kind, name ?? "", why);
}
