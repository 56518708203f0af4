import stored from "../generated/operations.json" with { type: "json" };

/** What commands need of the API's operations: a small part of its OpenAPI document. */

/** A member of an object that has an option. */
export interface Flag {
  /** The option, without its dashes. */
  name: string;
  path: string;
  type: "string" | "integer" | "boolean" | "reference";
  description: string;
}

export interface ApiOperation {
  /** `<area>.<kind>.<verb>`. */
  id: string;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  summary: string;
  query: string[];
  /** Whether it takes a body with members. */
  body?: true;
  /** Whether it takes an `Idempotency-Key`. */
  keyed?: true;
  /** The operation's command after the kind's name, if it differs from the verb. */
  command?: string;
  /** Whether the operation is an action that destroys a server or the data on its drives. */
  destroys?: boolean;
  flags?: Flag[];
  /** The paths of members that are secrets. */
  secrets?: string[];
}

export type CommandArea = "public" | "private";

/** All operations, in the order of the document. */
export function operations(): ApiOperation[] {
  // The compiler infers plain strings from JSON, but generate.ts has written this type.
  return stored as ApiOperation[];
}

/** The operation with this id. Throws when the document has none. */
export function operationNamed(id: string): ApiOperation {
  const operation = operations().find((each) => each.id === id);
  if (!operation) throw new Error(`the document has no ${id}`);
  return operation;
}

export const areaOf = ({ id }: ApiOperation): CommandArea =>
  id.startsWith("public.") ? "public" : "private";

/** The kind in an operation's id, as the API writes it: `cluster_template`. */
export const kindOf = ({ id }: ApiOperation): string => id.split(".")[1] ?? "";
