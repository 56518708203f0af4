import type { HonoRequest } from "hono";
import * as z from "zod";
import type { Ahead } from "../../core/resources/cluster/ahead.ts";
import type { Call } from "./call.ts";
import type { Parameters } from "./parameters.ts";
import type { Area, Subject, Verb } from "./permissions.ts";

/** One operation of the API: what the app serves and OpenAPI describes. */
export interface Route extends Parameters {
  area: Area;
  subject: Subject;
  verb: Verb;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Parameters in braces, as OpenAPI writes them. */
  path: string;
  /** A verb and a noun. */
  summary: string;
  /** What else there is to say of it, in sentences. */
  description?: string;
  body?: z.ZodType;
  /** Every member of the body may be left out. */
  partial?: boolean;
  /** Of a JSON answer; without one, an empty object. Only described, so a start makes none of them. */
  response?: () => z.ZodType;
  /** Of an answer that is not JSON; with a `response`, of one that is asked for. */
  mediaType?: string;
  /** Of what such an answer is a stream of. */
  itemSchema?: () => z.ZodType;
  /** What the body says will be read, and whose it is about, for a caller of this tenant. Throws Invalid. */
  ahead?(request: HonoRequest, tenant: string): Promise<Ahead>;
  handle(call: Call): Promise<Response>;
}

/** Of an operation that is asked for without one: it is read all the same, and must be empty. */
export const emptyBody = z.strictObject({});

export const route = (definition: Route): Route => definition;

/** How the paths of an area begin. */
export const prefixes: Record<Area, string> = {
  public: "/api/fulfillment/v1",
  private: "/api/private/v1",
};
