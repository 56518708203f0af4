import * as z from "zod";
import { type ErrorKind, errorKinds } from "../../../core/error.ts";
import { errorCatalogue } from "../docs/error-catalogue.ts";
import { exampleOf } from "../examples.ts";
import { rolesFor, type Verb } from "../permissions.ts";
import { problems } from "../problem.ts";
import type { Route } from "../route.ts";
import { answerExample } from "./answers.ts";
import { type HeaderName, headersNamed, parametersOf } from "./parameters.ts";
import { type Description, nameOf, type Schemas } from "./schemas.ts";
import { tagOf } from "./tags.ts";

/** One route as an operation. */

const json = "application/json";

export function operationOf(route: Route, schemas: Schemas): Description {
  const { area, subject, summary, body, response, mediaType, itemSchema } = route;
  const answers = {
    ...(mediaType && {
      [mediaType]: { schema: itemSchema ? schemas.reference(itemSchema()) : { type: "string" } },
    }),
    ...((response || !mediaType) && {
      [json]: {
        schema: response ? schemas.answer(response()) : emptyIn(schemas),
        ...exampleIn(route),
      },
    }),
  };
  return {
    operationId: operationId(route),
    summary,
    description: descriptionOf(route),
    tags: [tagOf(area, subject)],
    parameters: parametersOf(route),
    ...(body && { requestBody: bodyOf(route, body, schemas) }),
    responses: {
      200: {
        description: answerOf(route),
        headers: headersNamed(headersOf(route)),
        content: answers,
      },
      ...Object.fromEntries(
        refusalsOf(route).map((status) => [
          status,
          { $ref: `#/components/responses/Problem${status}` },
        ]),
      ),
    },
  };
}

function exampleIn(route: Route): Description {
  const [name] = answerExample(route) ?? [];
  if (name === undefined) return {};
  return { examples: { [name]: { $ref: `#/components/examples/${name}` } } };
}

/** Of the three that read credentials, the kubeconfig's has the plain name. */
function operationId({ area, subject, verb, path }: Route): string {
  const last = path.split("/").at(-1) ?? "";
  const others: Record<string, string> = { password: ".password", credentials: ".list" };
  return `${area}.${subject}.${verb}${(verb === "credentials" && others[last]) || ""}`;
}

/** What the verbs of a collection do, where nothing else is said. */
const usual: Partial<Record<Verb, string>> = {
  list: "All that you may see, a page at a time.",
  get: "One, by its `id`.",
  create: "Judged by all rules, and every fault is named at once. `dry_run=true` stores nothing.",
  update:
    "Changes the members that the body has. Objects are descended into; texts, numbers, lists and maps are replaced whole; `null` clears.",
  delete: "Refused while something else uses it.",
};

function descriptionOf({ area, subject, verb, summary, description }: Route): string {
  const roles = rolesFor(area, subject, verb).map((role) => `\`${role}\``);
  return `${description ?? usual[verb] ?? `${summary}.`}\n\nFor ${roles.join(", ")}.`;
}

function answerOf({ method, verb, response, mediaType }: Route): string {
  if (verb === "list") return "A page of them.";
  if (verb === "create") return "The object, as it was accepted.";
  if (verb === "update") return "The object, as it is now.";
  if (method === "DELETE") return "It is deleted, or will be when the operation has ended.";
  return response || mediaType ? "What was asked for." : "It is done.";
}

function headersOf({ verb, method, subject }: Route): HeaderName[] {
  const isOne = verb === "get" || verb === "create" || verb === "update";
  const works = method !== "GET" && (subject === "cluster" || subject === "operation");
  return [
    "X-Request-Id",
    ...(verb === "report" ? [] : (["RateLimit", "RateLimit-Policy"] as const)),
    ...(isOne && subject !== "removal" && subject !== "intake" ? (["ETag"] as const) : []),
    ...(verb === "create" ? (["Idempotent-Replayed"] as const) : []),
    ...(works && verb !== "issue" && verb !== "revoke"
      ? (["Operation-Location", "Retry-After"] as const)
      : []),
    ...(verb === "watch" ? (["Last-Event-ID"] as const) : []),
  ];
}

function bodyOf(route: Route, body: z.ZodType, schemas: Schemas): Description {
  const name = bodyName(route);
  const schema = route.partial ? schemas.partial(body, name) : schemas.reference(body, name);
  const example = exampleOf(route.area, route.subject, route.verb);
  return { required: name !== "Empty", content: { [json]: { schema, example } } };
}

/** Such as ClusterInput and ClusterChange; the same in both areas. */
function bodyName({ subject, verb, partial }: Route): string {
  if (verb === "report") return "HubReport";
  if (verb === "replay") return "WebhookReplay";
  if (verb === "issue") return "CredentialRequest";
  if (verb !== "create" && verb !== "update") return "Empty";
  return nameOf(subject) + (partial ? "Change" : "Input");
}

const nothing = z.strictObject({}).describe("An object without members.");
const emptyIn = (schemas: Schemas): Description => schemas.reference(nothing, "Empty");

/** Every status that a route may answer beside 200. */
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

/** One for each status that an operation may be refused with. */
export function problemResponses(routes: Route[], schemas: Schemas, problem: z.ZodType) {
  const statuses = [...new Set(routes.flatMap(refusalsOf))].sort();
  const content = { "application/problem+json": { schema: schemas.reference(problem) } };
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
