import * as z from "zod";
import { type ErrorKind, errorKinds } from "../../../core/error.ts";
import type { Verb } from "../../../core/kernel/request/permissions.ts";
import { errorCatalogue } from "../docs/error-catalogue.ts";
import { problemSchema, problems } from "../problem.ts";
import { definitionOf, isRegisteredKind } from "../registry.ts";
import type { Route } from "../route.ts";
import { answerExample } from "./answers.ts";
import { type HeaderName, headersNamed } from "./parameters.ts";
import type { Description, Schemas } from "./schemas.ts";

/** The answers of operations. An answer that several operations give is described once. */
export class Responses {
  readonly components: Record<string, Description> = {};
  readonly #schemas: Schemas;

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  of(route: Route): Description {
    const refusals = refusalsOf(route).map((status) => [
      status,
      { $ref: place(`Problem${status}`) },
    ]);
    return { 200: this.#answer(route), ...Object.fromEntries(refusals) };
  }

  #answer(route: Route): Description {
    const content = contentOf(route, this.#schemas);
    const headers = headersNamed(headersOf(route));
    const answer = { description: answerOf(route), headers, content };
    const name = nameOfAnswer(route, content);
    if (name === undefined) return answer;
    const known = this.components[name];
    const isOther = known && JSON.stringify(known) !== JSON.stringify(answer);
    // Actions of a kind may share an answer.
    if (isOther && !(route.verb in endings)) return answer;
    if (isOther) throw new Error(`two answers are called ${name}`);
    this.components[name] = answer;
    return { $ref: place(name) };
  }
}

const place = (name: string): string => `#/components/responses/${name}`;

const json = "application/json";

function contentOf(route: Route, schemas: Schemas): Record<string, Description> {
  const { response, mediaType, itemSchema } = route;
  return {
    ...(mediaType && {
      [mediaType]: { schema: itemSchema ? schemas.reference(itemSchema()) : { type: "string" } },
    }),
    ...((response || !mediaType) && {
      [json]: {
        schema: response ? schemas.answer(response()) : schemas.reference(nothing, "Empty"),
        ...exampleIn(route),
      },
    }),
  };
}

const nothing = z.strictObject({}).describe("An object without members.");

function exampleIn(route: Route): Description {
  const [name] = answerExample(route) ?? [];
  if (name === undefined) return {};
  return { examples: { [name]: { $ref: `#/components/examples/${name}` } } };
}

const endings: Partial<Record<Verb, string>> = {
  list: "",
  get: "",
  create: "Created",
  update: "Changed",
};

/** The name of an answer's schema, which both areas of a collection may share. */
function nameOfAnswer(route: Route, content: Record<string, Description>): string | undefined {
  const { verb } = route;
  if (verb === "delete") return works(route) ? "DeletionBegun" : "Deleted";
  const { $ref } = Object(content[json]?.schema);
  if (typeof $ref !== "string") return undefined;
  const ending = endings[verb] ?? (route.method === "GET" ? "Found" : "Acted");
  return `${$ref.split("/").at(-1)}${ending}`;
}

function answerOf({ method, verb, response, mediaType }: Route): string {
  if (verb === "list") return "A page of them.";
  if (verb === "create") return "The object, as it was accepted.";
  if (verb === "update") return "The object, as it is now.";
  if (method === "DELETE") return "It is deleted, or will be when the operation ends.";
  return response || mediaType ? "The answer." : "It is done.";
}

/** Whether the request starts an operation. */
const works = ({ method, subject, isCredential }: Route): boolean =>
  method !== "GET" &&
  isRegisteredKind(subject) &&
  (definitionOf(subject).isOrdered || definitionOf(subject).attached) === true &&
  !isCredential;

function headersOf(route: Route): HeaderName[] {
  const { verb, subject } = route;
  const isOne = verb === "get" || verb === "create" || verb === "update";
  return [
    "X-Request-Id",
    ...(verb === "report" ? [] : (["RateLimit", "RateLimit-Policy"] as const)),
    ...(isOne && subject !== "removal" && subject !== "intake" ? (["ETag"] as const) : []),
    ...(verb === "create" ? (["Idempotent-Replayed"] as const) : []),
    ...(works(route) ? (["Operation-Location", "Retry-After"] as const) : []),
    ...(verb === "watch" ? (["Last-Event-ID"] as const) : []),
  ];
}

/** Every status besides 200 that a route may answer. */
function refusalsOf({ method, body, verb, headers = [] }: Route): number[] {
  const writes = method === "POST" || method === "PATCH" || method === "DELETE";
  return [
    400,
    401,
    403,
    404,
    ...(writes ? [409] : []),
    ...(headers.includes("If-Match") ? [412] : []),
    ...(body ? [413, 422] : []),
    ...(verb === "report" ? [] : [429]),
    503,
  ];
}

/** One response for each status of a refusal. */
export function problemResponses(routes: Route[], schemas: Schemas): Record<string, Description> {
  const statuses = [...new Set(routes.flatMap(refusalsOf))].sort();
  const content = { "application/problem+json": { schema: schemas.reference(problemSchema) } };
  return Object.fromEntries(
    statuses.map((status) => {
      const names: HeaderName[] =
        status === 429 || status === 503 ? ["X-Request-Id", "Retry-After"] : ["X-Request-Id"];
      const headers = headersNamed(names);
      return [`Problem${status}`, { description: refusal(status), headers, content }];
    }),
  );
}

function refusal(status: number): string {
  if (status === 413) return "The body is larger than 1 MiB.";
  return (Object.keys(errorKinds) as ErrorKind[])
    .filter((kind) => problems[kind].status === status)
    .map((kind) => `${problems[kind].title}. ${errorCatalogue[kind].means}`)
    .join("\n\n");
}
