import type * as z from "zod";
import { canonicalPath } from "../../../core/kernel/input/names.ts";
import type { Call } from "../call.ts";
import { badParameter, maxLimit, maxOffset } from "../parameters.ts";

/** The parameters of a list (docs/reference/osac-rest.md §1) that do not depend on the kind. */
export interface ListQuery {
  limit: number;
  offset: number;
  filter: string;
  order: Order[];
  token: string | undefined;
}

/** A member to sort by. */
export interface Order {
  path: string[];
  descending: boolean;
}

/** The most members to sort by; a page token has the value of each. */
const maxOrders = 16;
const defaultLimit = 100;

/**
 * Reads the parameters of a list. `schema` describes the items, and is used only if the client names a
 * member. Throws Invalid.
 */
export function listQuery(call: Call, schema: () => z.ZodType): ListQuery {
  const limit = wholeNumber(call, "limit") ?? defaultLimit;
  if (limit < 0) throw badParameter("limit", `must be a non-negative integer, but it is ${limit}`);
  const offset = Math.max(0, wholeNumber(call, "offset") ?? 0);
  const token = call.query("page_token") || undefined;
  if (offset > maxOffset) {
    throw badParameter(
      "offset",
      `must not be above ${maxOffset}: continue with page_token, which every page answers`,
    );
  }
  if (token !== undefined && offset > 0)
    throw badParameter("offset", "cannot be given together with page_token");
  return {
    limit: Math.min(limit, maxLimit),
    offset,
    filter: call.query("filter")?.trim() ?? "",
    order: ordersIn(call.query("order") ?? "", schema),
    token,
  };
}

function wholeNumber(call: Call, name: "limit" | "offset"): number | undefined {
  const text = call.query(name);
  if (text === undefined) return undefined;
  if (!/^-?\d{1,15}$/.test(text))
    throw badParameter(name, `must be an integer, but it is '${text.slice(0, 40)}'`);
  return Number(text);
}

/** Parses an order such as `metadata.name desc, status.state`. */
function ordersIn(text: string, schema: () => z.ZodType): Order[] {
  if (text.trim() === "") return [];
  const parts = text.split(",");
  if (parts.length > maxOrders)
    throw badParameter("order", `names ${parts.length} fields; ${maxOrders} is the limit`);
  return parts.map((part) => {
    const [given = "", direction = "asc", ...rest] = part.trim().split(/\s+/);
    const path = canonicalPath(schema(), given.replace(/^this\./, ""));
    if (!path) throw badParameter("order", `names no field: '${given.slice(0, 100)}'`);
    if (rest.length > 0 || !/^(asc|desc)$/i.test(direction)) {
      throw badParameter(
        "order",
        "is a list of fields, each with asc or desc behind it or nothing",
      );
    }
    return { path, descending: direction.toLowerCase() === "desc" };
  });
}
