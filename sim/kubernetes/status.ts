import { type ResourceKind, resourceName } from "./object.ts";

/** Refusals with the messages and the form of apimachinery's api/errors and the apiserver. */

export interface StatusCause {
  reason?: string;
  message: string;
  field?: string;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

export interface Status {
  kind: "Status";
  apiVersion: "v1";
  metadata: Record<string, never>;
  status: "Success" | "Failure";
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code: number;
}

export class KubeError extends Error {
  readonly status: Status;

  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message);
    this.name = reason;
    this.status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message,
      ...(reason && { reason }),
      ...(details && { details }),
      code,
    };
  }

  get code(): number {
    return this.status.code;
  }
}

type Resource = Pick<ResourceKind, "group" | "plural">;

function about(resource: Resource, name: string, causes?: StatusCause[]): StatusDetails {
  return {
    name,
    ...(resource.group !== "" && { group: resource.group }),
    kind: resource.plural,
    ...(causes && { causes }),
  };
}

export function notFound(resource: Resource, name: string): KubeError {
  const message = `${resourceName(resource)} "${name}" not found`;
  return new KubeError(404, "NotFound", message, about(resource, name));
}

/** The refusal of a path that is not served. */
export function noSuchResource(): KubeError {
  return new KubeError(404, "NotFound", "the server could not find the requested resource", {});
}

export function alreadyExists(resource: Resource, name: string): KubeError {
  const message = `${resourceName(resource)} "${name}" already exists`;
  return new KubeError(409, "AlreadyExists", message, about(resource, name));
}

export function conflict(resource: Resource, name: string, why: string): KubeError {
  const message = `Operation cannot be fulfilled on ${resourceName(resource)} "${name}": ${why}`;
  return new KubeError(409, "Conflict", message, about(resource, name));
}

export function staleVersion(resource: Resource, name: string): KubeError {
  const why =
    "the object has been modified; please apply your changes to the latest version and try again";
  return conflict(resource, name, why);
}

/** Fields of an apply that other managers own; `manager` is in the server's form. */
export function applyConflict(conflicts: { manager: string; field: string }[]): KubeError {
  const [first] = conflicts;
  const fieldsOf = Map.groupBy(conflicts, (conflict) => conflict.manager);
  const described =
    conflicts.length === 1 && first
      ? `1 conflict: conflict with ${first.manager}: ${first.field}`
      : `${conflicts.length} conflicts: ${Array.from(fieldsOf, describeManager).join("\n")}`;
  const causes = conflicts.map(({ manager, field }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with ${manager}`,
    field,
  }));
  return new KubeError(409, "Conflict", `Apply failed with ${described}`, { causes });
}

function describeManager([manager, owned]: [string, { field: string }[]]): string {
  return `conflicts with ${manager}:${owned.map(({ field }) => `\n- ${field}`).join("")}`;
}

export function forbidden(
  resource: Resource,
  name: string,
  why: string,
  causes?: StatusCause[],
): KubeError {
  const named = name === "" ? "" : ` "${name}"`;
  const message = `${resourceName(resource)}${named} is forbidden: ${why}`;
  return new KubeError(403, "Forbidden", message, about(resource, name, causes));
}

/** The refusal of a path without objects, such as the list of served kinds. */
export function forbiddenPath(user: string, method: string, path: string): KubeError {
  const message = `forbidden: User "${user}" cannot ${method.toLowerCase()} path "${path}"`;
  return new KubeError(403, "Forbidden", message, {});
}

/** The error of one field; `reason` is that of field.ErrorType. */
export interface FieldError {
  reason:
    | "FieldValueInvalid"
    | "FieldValueRequired"
    | "FieldValueNotSupported"
    | "FieldValueForbidden"
    | "FieldValueTypeInvalid"
    | "FieldValueTooLong";
  field: string;
  message: string;
}

/** The 422 with all wrong fields. */
export function invalid(
  kind: Pick<ResourceKind, "group" | "kind">,
  name: string,
  errors: FieldError[],
): KubeError {
  const qualified = kind.group === "" ? kind.kind : `${kind.kind}.${kind.group}`;
  const described = errors.map((error) => `${error.field}: ${error.message}`);
  const list = described.length === 1 ? described[0] : `[${described.join(", ")}]`;
  return new KubeError(422, "Invalid", `${qualified} "${name}" is invalid: ${list}`, {
    name,
    ...(kind.group !== "" && { group: kind.group }),
    kind: kind.kind,
    causes: errors,
  });
}

/** The refusal of an admission policy, with the default reason Invalid. */
export function denied(resource: Resource, name: string, why: string): KubeError {
  const message = `${resourceName(resource)} "${name}" is forbidden: ${why}`;
  return new KubeError(422, "Invalid", message, about(resource, name));
}

/** The server's answer when a JSON patch cannot be applied; it has no reason. */
export function unprocessablePatch(): KubeError {
  const message = "the server rejected our request due to an error in our request";
  return new KubeError(422, "Invalid", message, {});
}

/** The refusal of an apply that does not match its kind's schema. A real server gives no reason. */
export function misfit(
  { group, version, kind }: Pick<ResourceKind, "group" | "version" | "kind">,
  { namespace = "", name = "" }: { namespace?: string; name?: string },
  errors: string[],
): KubeError {
  const list =
    errors.length === 1 ? errors[0] : ["errors:", ...errors.map((each) => `  ${each}`)].join("\n");
  const object = `${namespace}/${name}; ${group}/${version}, Kind=${kind}`;
  return new KubeError(500, "", `failed to create typed patch object (${object}): ${list}`);
}

export function badRequest(message: string): KubeError {
  return new KubeError(400, "BadRequest", message);
}

export function unauthorized(): KubeError {
  return new KubeError(401, "Unauthorized", "Unauthorized");
}

export function methodNotAllowed(): KubeError {
  const message = "the server does not allow this method on the requested resource";
  return new KubeError(405, "MethodNotAllowed", message, {});
}

export function unsupportedMediaType(accepted: string[]): KubeError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`;
  return new KubeError(415, "UnsupportedMediaType", message);
}

/** The history for a watch or a continued list is not kept any more: the client must list again. */
export function expired(message: string): KubeError {
  return new KubeError(410, "Expired", message);
}

export function internalError(message: string): KubeError {
  return new KubeError(500, "InternalError", `Internal error occurred: ${message}`, {
    causes: [{ message }],
  });
}

export function serviceUnavailable(message: string): KubeError {
  return new KubeError(503, "ServiceUnavailable", message, { retryAfterSeconds: 5 });
}
