import * as z from "zod";
import { eventSchema } from "../../core/events/events.ts";
import { isKind, kindNames, kinds } from "../../core/kinds/kinds.ts";
import { publicSchemas } from "../../core/kinds/public.ts";
import { type Kind, pluralOf } from "../../core/model/object.ts";
import { capabilitiesSchema } from "./capabilities.ts";
import type { Subject } from "./permissions.ts";
import { problemSchema } from "./problem.ts";
import type { Route } from "./route.ts";

/** OpenAPI 3.1 from the routes and their schemas. */

type Description = Record<string, unknown>;

/** Schemas that are described once and referred to. */
const components = new Map<z.core.$ZodType, string>([
  [problemSchema, "Problem"],
  [eventSchema, "Event"],
  [capabilitiesSchema, "Capabilities"],
  ...kindNames.map((kind) => [publicSchemas[kind], nameOf(kind)] as const),
  // Where they are the same, the public name is the one.
  ...kindNames
    .filter((kind) => kinds[kind].schema !== publicSchemas[kind])
    .map((kind) => [kinds[kind].schema, `Private${nameOf(kind)}`] as const),
]);

const json = "application/json";

const tags: Record<Exclude<Subject, Kind>, string> = {
  event: "events",
  removal: "removal",
  intake: "intake",
  audit_entry: "audit_entries",
};

export function openApi(routes: Route[]): Description {
  const paths: Record<string, Description> = {};
  for (const route of routes) {
    const path = paths[route.path] ?? {};
    path[route.method.toLowerCase()] = operation(route);
    paths[route.path] = path;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Slipway",
      version: "1",
      description:
        "Orders for clusters, and what they are made of. Answers are described as they are by default; with `Accept: application/json;profile=osac` they are OSAC's. Generated from functions/api; do not edit.",
    },
    security: [{ bearer: [] }],
    paths: {
      ...anonymous,
      ...Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      schemas: {
        ...Object.fromEntries([...components].map(([schema, name]) => [name, schemaOf(schema)])),
        ...Object.fromEntries(
          routes.flatMap(({ body, ...route }) =>
            body ? [[bodyName(route), bodySchema(body, route.partial)]] : [],
          ),
        ),
      },
      responses: {
        Problem: {
          description: "What was wrong, every field at once",
          content: {
            "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
          },
        },
      },
    },
  };
}

const anonymous = {
  "/healthz": {
    get: {
      summary: "Whether the API answers",
      security: [],
      responses: { 200: { description: "It does" } },
    },
  },
  "/api/fulfillment/v1/capabilities": {
    get: {
      summary: "What is served, and whose tokens are accepted",
      security: [],
      responses: {
        200: {
          description: "OK",
          content: { [json]: { schema: referenceTo("Capabilities") } },
        },
      },
    },
  },
};

function operation(route: Route): Description {
  const { summary, body, response, mediaType } = route;
  const schema = response ? schemaOf(z.lazy(() => response)) : { type: "object" };
  const content = {
    ...(mediaType && { [mediaType]: { schema: { type: "string" } } }),
    ...((response || !mediaType) && { [json]: { schema } }),
  };
  return {
    operationId: `${route.area}.${route.subject}.${route.verb}${route.path.endsWith("/password") ? ".password" : ""}`,
    summary,
    tags: [isKind(route.subject) ? pluralOf(route.subject) : tags[route.subject]],
    parameters: parametersOf(route),
    ...(body
      ? { requestBody: { content: { [json]: { schema: referenceTo(bodyName(route)) } } } }
      : {}),
    responses: {
      200: { description: "OK", content },
      ...Object.fromEntries(
        refusalsOf(route).map((status) => [status, { $ref: "#/components/responses/Problem" }]),
      ),
    },
  };
}

/** Every status that a route may answer beside 200. */
function refusalsOf({ method, body, verb }: Route): number[] {
  const writes = method === "POST" || method === "PATCH" || method === "DELETE";
  return [
    400,
    401,
    403,
    404,
    ...(writes ? [409] : []),
    ...(method === "PATCH" ? [412] : []),
    ...(body ? [413, 422] : []),
    ...(verb === "report" ? [] : [429]),
    503,
  ];
}

function parametersOf({ path, query = [], headers = [] }: Route): Description[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const schemaFor = (name: string) => {
    if (name === "limit" || name === "offset") return { type: "integer", minimum: 0 };
    return { type: name === "lock" || name === "dry_run" ? "boolean" : "string" };
  };
  return [
    ...inPath,
    ...query.map((name) => ({ name, in: "query", required: false, schema: schemaFor(name) })),
    ...headers.map((name) => ({ name, in: "header", required: false, schema: { type: "string" } })),
  ];
}

/** Such as ClusterInput and ClusterChange; the same in both areas. */
function bodyName({ subject, verb, partial }: Pick<Route, "subject" | "verb" | "partial">): string {
  if (verb === "report") return "HubReport";
  if (verb === "replay") return "WebhookReplay";
  if (verb !== "create" && verb !== "update") return "Empty";
  return nameOf(subject) + (partial ? "Change" : "Input");
}

/** A PATCH may leave out what a POST must say; the merged object is judged. */
function bodySchema(schema: z.ZodType, partial = false): Description {
  const description = schemaOf(schema);
  return partial ? withoutRequired(description) : description;
}

function withoutRequired(description: Description): Description {
  const { required: _, ...rest } = description;
  return {
    ...rest,
    ...(rest.properties ? { properties: eachWithoutRequired(rest.properties) } : {}),
  };
}

const eachWithoutRequired = (properties: unknown): Description =>
  Object.fromEntries(
    Object.entries(properties as Description).map(([name, property]) => [
      name,
      withoutRequired(property as Description),
    ]),
  );

/** What has a name of its own is referred to, unless it is the one to describe. */
function schemaOf(schema: z.core.$ZodType): Description {
  const described = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const name = zodSchema === schema ? undefined : components.get(zodSchema);
      if (name === undefined) return;
      for (const member of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, member);
      Object.assign(jsonSchema, referenceTo(name));
    },
  });
  const { $schema: _, $defs: __, ...description } = described;
  return JSON.parse(JSON.stringify(description), (_name, value) => (isAnyJson(value) ? {} : value));
}

/** The only schema of ours that refers to itself is that of any JSON. */
const isAnyJson = (value: { $ref?: string } | null): boolean =>
  value?.$ref?.startsWith("#/$defs/") ?? false;

function referenceTo(name: string): Description {
  return { $ref: `#/components/schemas/${name}` };
}

function nameOf(kind: string): string {
  return kind.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}
