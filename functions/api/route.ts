import * as z from "zod";
import type { Kind } from "../../core/kernel/object/object.ts";
import type { Definition } from "../../core/kernel/request/definition.ts";
import type { Example } from "../../core/kernel/request/documentation.ts";
import type { Area, Verb } from "../../core/kernel/request/permissions.ts";
import type { Call } from "./call.ts";
import type { Parameters } from "./parameters.ts";
import type { Subject } from "./permissions.ts";

/** One operation of the API: the app serves it, and OpenAPI describes it. */
export interface Route extends Parameters {
  area: Area;
  subject: Subject;
  verb: Verb;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path, with parameters in braces, as in OpenAPI. */
  path: string;
  /** A verb and a noun. */
  summary: string;
  /** More about it, in sentences. */
  description?: string;
  body?: z.ZodType;
  /** A body that is accepted, where it says something. */
  example?: Example;
  /** Every member of the body may be left out. */
  partial?: boolean;
  /**
   * The schema of a JSON answer; an empty object by default. It serves the description only, so a
   * start makes none of them.
   */
  response?: () => z.ZodType;
  /**
   * The media type of an answer that is not JSON; beside a `response`, of one that the client may
   * ask for.
   */
  mediaType?: string;
  /** The schema of an item, where the answer is a stream of items. */
  itemSchema?: () => z.ZodType;
  /** It gives or takes access: nobody may keep its answer, which the audit precedes. */
  isCredential?: true;
  /** The tenant of the new object that it makes of its body, unless the request names one. */
  creates?: Definition<Kind>["tenant"];
  handle(call: Call): Promise<Response>;
}

/** For an operation that takes no body: a given body is still read, and must be empty. */
export const emptyBody = z.strictObject({});

export const route = (definition: Route): Route => definition;

/** The beginning of the paths of an area. */
export const prefixes: Record<Area, string> = {
  public: "/api/fulfillment/v1",
  private: "/api/private/v1",
};
