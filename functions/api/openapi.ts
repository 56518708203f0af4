import * as z from "zod";
import { eventSchema } from "../../core/events/events.ts";
import { isKind, kindNames, kinds } from "../../core/kinds/kinds.ts";
import { publicSchemas } from "../../core/kinds/public.ts";
import { pluralOf } from "../../core/model/object.ts";
import { capabilitiesSchema } from "./capabilities.ts";
import { exampleOf } from "./examples.ts";
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

/** What there is to each subject. */
const meanings: Record<Subject, string> = {
  audit_entry: "Who changed what, and who read a credential",
  cluster: "OpenShift clusters on order",
  cluster_catalog_item: "Offers: a template with what may be chosen",
  cluster_template: "What can be ordered, and its parameters",
  cluster_version: "OpenShift releases",
  event: "Every change, as it happens",
  host: "Servers in the inventory",
  host_type: "Kinds of servers, and how many are free",
  hub: "Management clusters, which run the control planes",
  identity_provider: "Where the people of a tenant log in",
  intake: "The switch that stops every order and change",
  operation: "The work on an order, step by step",
  project: "Parts of a tenant, one below the other",
  project_membership: "Who may do what in a project",
  quota: "What a tenant or a project may have, and has",
  removal: "The switch that stops the removal of what has no owner",
  role: "What one may do who is bound to it",
  role_binding: "Who is bound to which role",
  secret: "Values that can be written and never read",
  site: "Fabric, DNS and storage around hubs",
  tenant: "The provider's customers",
  user: "The people of a tenant",
  webhook: "Events sent to a server of a tenant",
};

function tagOf(subject: Subject): string {
  if (isKind(subject)) return pluralOf(subject);
  return { event: "events", audit_entry: "audit_entries", removal: "removal", intake: "intake" }[
    subject
  ];
}

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
    tags: (Object.keys(meanings) as Subject[])
      .map((subject) => ({ name: tagOf(subject), description: meanings[subject] }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
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
    operationId: operationId(route),
    summary,
    tags: [tagOf(route.subject)],
    parameters: parametersOf(route),
    ...(body
      ? {
          requestBody: {
            content: {
              [json]: {
                schema: referenceTo(bodyName(route)),
                example: exampleOf(route.area, route.subject, route.verb),
              },
            },
          },
        }
      : {}),
    responses: {
      200: { description: "OK", content },
      ...Object.fromEntries(
        refusalsOf(route).map((status) => [status, { $ref: "#/components/responses/Problem" }]),
      ),
    },
  };
}

/** Of the three that read credentials, the kubeconfig's has the plain name. */
function operationId({ area, subject, verb, path }: Route): string {
  const last = path.split("/").at(-1) ?? "";
  const others: Record<string, string> = { password: ".password", credentials: ".list" };
  return `${area}.${subject}.${verb}${(verb === "credentials" && others[last]) || ""}`;
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
  const described = (name: string) => ({ description: parameters[name] });
  return [
    ...inPath,
    ...query.map((name) => ({
      ...{ name, in: "query", required: false, ...described(name), schema: schemaFor(name) },
    })),
    ...headers.map((name) => ({
      ...{ name, in: "header", required: false, ...described(name), schema: { type: "string" } },
    })),
  ];
}

/** What parameters mean, the same wherever they are. */
const parameters: Record<string, string> = {
  filter: 'A condition in OSAC\'s subset of CEL, such as this.metadata.name == "demo"',
  order: "Members to sort by, such as metadata.name desc, status.state",
  limit: "Items of a page, 100 unless told, at most 1000",
  offset: "Items to skip, at most 10000",
  page_token: "The next_page_token of the page before",
  dry_run: "Judge it, and store nothing",
  "X-Dry-Run": "As dry_run, for OSAC's clients",
  "Idempotency-Key": "Sent again within a day with the same body, it is answered as the first time",
  update_mask: "Change only these members, such as metadata.labels.team,spec.node_sets",
  lock: "Only when the body's metadata.version is the current one",
  "If-Match": "Only when this ETag is the current one",
  tenant: "Of which tenant: your own unless told; needed when you are of none",
  chain: "Of one chain only",
  "Last-Event-ID": "Events after this one; from now on unless told",
  last_event_id: "As Last-Event-ID, for clients that cannot set headers",
};

/** Such as ClusterInput and ClusterChange; the same in both areas. */
function bodyName({ subject, verb, partial }: Pick<Route, "subject" | "verb" | "partial">): string {
  if (verb === "report") return "HubReport";
  if (verb === "replay") return "WebhookReplay";
  if (verb === "issue") return "CredentialRequest";
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
