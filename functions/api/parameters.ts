import type { HonoRequest } from "hono";
import { AppError } from "../../core/error.ts";
import { refuseViolations } from "../../core/kernel/input/parse.ts";
import type { IgnoredParameter } from "../../core/kernel/request/api-of.ts";

/**
 * The query parameters and headers of requests. A route names those that it takes, and OpenAPI describes them. All
 * others are refused, because an unknown one is probably a typing error.
 */

export type QueryParameter =
  | "filter"
  | "order"
  | "limit"
  | "offset"
  | "page_token"
  | "ids_only"
  | "dry_run"
  | "update_mask"
  | "lock"
  | "tenant"
  | "chain"
  | "object"
  | "actor"
  | "last_event_id"
  | "kind"
  | "value"
  | "pool"
  | "from"
  | "site"
  | "network"
  | IgnoredParameter;

export type HeaderParameter = "X-Dry-Run" | "Idempotency-Key" | "If-Match" | "Last-Event-ID";

/** The largest page. */
export const maxLimit = 1000;
/** The largest offset. Skipped objects are counted one by one; a page token skips none. */
export const maxOffset = 10_000;

/** The spellings of a parameter: as in bodies, lowerCamelCase is accepted too. */
const spellingsOf = (name: QueryParameter): string[] => [
  ...new Set([name, name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())]),
];

/** The value of a parameter, in either spelling. Throws Invalid when it is given twice. */
export function queried(request: HonoRequest, name: QueryParameter): string | undefined {
  const values = spellingsOf(name).flatMap((spelling) => request.queries(spelling) ?? []);
  if (values.length > 1) throw badParameter(name, "is given more than once");
  return values[0];
}

/** Whether a flag is set; a name without a value is true. Throws Invalid for other values than true and false. */
export function flagged(request: HonoRequest, name: "dry_run" | "lock" | "ids_only"): boolean {
  const value = queried(request, name);
  if (value === undefined || value === "false") return false;
  if (value === "true" || value === "") return true;
  throw badParameter(name, "must be true or false");
}

export const badParameter = (field: string, message: string): AppError =>
  new AppError("Invalid", `${field} ${message}`, { violations: [{ field, message }] });

/**
 * Headers that change the meaning of a request, so that it would be harmful to ignore one. Reads
 * ignore the last two.
 */
const conditions = ["X-Dry-Run", "If-Match", "If-None-Match"];

/** The parameters that a route takes. */
export interface Parameters {
  query?: readonly QueryParameter[];
  headers?: readonly HeaderParameter[];
}

/** Throws Invalid for a parameter, or one of those headers, that the route does not take. */
export function refuseUnknown(
  request: HonoRequest,
  { query = [], headers = [] }: Parameters,
): void {
  const known = new Set(query.flatMap(spellingsOf));
  const takes = query.length > 0 ? `it takes ${query.join(", ")}` : "it takes none";
  const inQuery = Object.keys(request.queries())
    .filter((name) => !known.has(name))
    .map((name) => ({ field: name, message: `is not a parameter of this operation: ${takes}` }));
  const matters = request.method === "GET" ? conditions.slice(0, 1) : conditions;
  const inHeaders = matters
    .filter((name) => request.header(name) !== undefined)
    .filter((name) => !headers.some((each) => each === name))
    .map((name) => ({ field: name, message: "is not a header of this operation" }));
  refuseViolations([...inQuery, ...inHeaders]);
}
