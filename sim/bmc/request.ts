import { createHash } from "node:crypto";
import type * as z from "zod";
import { RedfishError } from "./error.ts";

/** Checks that are common to all changes of resources. */

export const notFound = (path: string) =>
  new RedfishError(
    404,
    "Base.1.12.ResourceMissingAtURI",
    `The resource at the URI ${path} was not found.`,
  );
export const notInList = (value: string, property: string) =>
  new RedfishError(
    400,
    "Base.1.12.PropertyValueNotInList",
    `The value ${value} for the property ${property} is not in the list of acceptable values.`,
    [`#/${property}`],
  );

/** A weak ETag, as for generated bodies. */
export const tagOf = (body: object): string =>
  `W/"${createHash("sha256").update(JSON.stringify(body)).digest("hex").slice(0, 16)}"`;

/** The strong form of a weak ETag. */
export const strongOf = (tag: string): string => tag.replace(/^W\//, "");

/** A resource without the members that this controller never shows. */
export function without(omitted: readonly string[], value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => without(omitted, each));
  if (typeof value !== "object" || value === null) return value;
  const shown = Object.entries(value).filter(([name]) => !omitted.includes(name));
  return Object.fromEntries(shown.map(([name, each]) => [name, without(omitted, each)]));
}

/** The body of a request. Throws when it is invalid. */
export async function bodyOf<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  let body: unknown;
  try {
    body = await request.json();
  } catch {
    throw new RedfishError(
      400,
      "Base.1.12.MalformedJSON",
      "The request body submitted was malformed JSON and could not be parsed by the receiving service.",
    );
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys : [];
  if (unknown.length > 0)
    throw new RedfishError(
      400,
      "Base.1.12.PropertyUnknown",
      `The property ${unknown.join(", ")} is not in the list of valid properties for the resource.`,
      unknown.map((key) => `#/${key}`),
    );
  const field = issue?.path.join("/") ?? "";
  throw new RedfishError(
    400,
    "Base.1.12.PropertyValueTypeError",
    `The value for the property ${field} is of a different type than the property can accept.`,
    [`#/${field}`],
  );
}
