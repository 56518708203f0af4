import * as z from "zod";
import type { Deps } from "../../core/kernel/deps.ts";
import type { Kind } from "../../core/kernel/object/object.ts";
import type { Definition } from "../../core/kernel/request/definition.ts";
import type { Example } from "../../core/kernel/request/documentation.ts";
import type { Area, Verb } from "../../core/kernel/request/permissions.ts";
import type { RequestDeps } from "../../core/kernel/request/request-deps.ts";
import type { Call } from "./call.ts";
import type { Parameters } from "./parameters.ts";
import type { Subject } from "./permissions.ts";

/** One operation of the API: the app serves it, and OpenAPI describes it. `D`: what its handler reaches. */
export interface Route<D extends Deps = RequestDeps> extends Parameters {
  area: Area;
  subject: Subject;
  verb: Verb;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path, with parameters in braces, as in OpenAPI. */
  path: string;
  /** What the operation does: a verb and a noun. */
  summary: string;
  /** More about the operation, in sentences. */
  description?: string;
  body?: z.ZodType;
  /** An accepted body, where it helps a reader. */
  example?: Example;
  /** Whether every member of the body is optional. */
  partial?: boolean;
  /** The schema of a JSON answer; an empty object by default. Only the document uses it, so the start builds none. */
  response?: () => z.ZodType;
  /** The media type of an answer that is not JSON; beside a `response`, one that the client may request. */
  mediaType?: string;
  /** The schema of an item, where the answer is a stream of items. */
  itemSchema?: () => z.ZodType;
  /**
   * Whether the operation grants or accepts access. Its answer must not be stored, and is audited
   * before it is sent.
   */
  isCredential?: true;
  /** The tenant of the object that it creates from its body, unless the request names one. */
  creates?: Definition<Kind>["tenant"];
  /**
   * Begins the reads of a GET. Before the caller is authorized it runs on a store that starts reads
   * and never answers (`prefetch.ts`), so that the handler finds the reads started.
   */
  begins?(call: Call<D>): Promise<unknown>;
  handle(call: Call<D>): Promise<Response>;
}

/** For an operation without a body: reads the body of a request, which must be empty. */
export const emptyBody = z.strictObject({});

export const route = <D extends Deps = RequestDeps>(definition: Route<D>): Route<D> => definition;

/** The path prefix of each area. */
export const prefixes: Record<Area, string> = {
  public: "/api/fulfillment/v1",
  private: "/api/private/v1",
};
