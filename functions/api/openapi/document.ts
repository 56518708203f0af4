import { capabilitiesSchema } from "../capabilities.ts";
import type { Route } from "../route.ts";
import { exampleComponents } from "./answers.ts";
import { Bodies } from "./bodies.ts";
import { withMeanings } from "./meanings.ts";
import { operationOf } from "./operation.ts";
import {
  headerComponents,
  headersNamed,
  parameterComponents,
  pathParameterComponents,
} from "./parameters.ts";
import { problemResponses, Responses } from "./responses.ts";
import { type Description, Schemas } from "./schemas.ts";
import { withSharedParts } from "./shared-parts.ts";
import { serviceTag, tagGroups, tags } from "./tags.ts";

/** OpenAPI 3.1 from the routes and their schemas. */
export function openApi(routes: Route[]): Description {
  const schemas = new Schemas();
  const bodies = new Bodies(schemas);
  const responses = new Responses(schemas);
  const paths: Record<string, Description> = anonymous(schemas);
  for (const route of [...routes].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const path = paths[route.path] ?? {};
    path[route.method.toLowerCase()] = operationOf(route, { bodies, responses });
    paths[route.path] = path;
  }
  const problems = problemResponses(routes, schemas);
  return {
    openapi: "3.1.0",
    info: {
      title: "Slipway",
      version: "1",
      summary: "Orders for clusters and their parts",
      description: introduction,
      contact: { name: "The provider of this deployment" },
      license: { name: "Apache 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "The deployment that serves this document" }],
    security: [{ bearer: [] }],
    tags,
    "x-tagGroups": tagGroups,
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "A token of one of the issuers that `capabilities` names.",
        },
      },
      parameters: { ...parameterComponents, ...pathParameterComponents(routes) },
      headers: headerComponents,
      requestBodies: inOrder(bodies.components),
      responses: { ...inOrder(responses.components), ...problems },
      examples: exampleComponents(routes),
      schemas: inOrder(withSharedParts(withMeanings(inOrder(schemas.components)))),
    },
  };
}

const inOrder = <T>(components: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));

const introduction = `Order clusters and follow them.

An order is accepted at once and carried out by an *operation*, which \`Operation-Location\` names.
Answers are described as they are by default; with \`Accept: application/json;profile=osac\` they are
OSAC's. Whatever is refused is answered as \`application/problem+json\` (RFC 9457), whose \`type\` leads to
[what it means](/docs/errors).`;

/** The operations that need no token. */
function anonymous(schemas: Schemas): Record<string, Description> {
  const headers = headersNamed(["X-Request-Id"]);
  const throttled = {
    429: { description: "Too many requests, where a gateway stands before the API." },
  };
  const open = { tags: [serviceTag], security: [] };
  return {
    "/healthz": {
      get: {
        operationId: "public.health.get",
        summary: "Check that the API answers",
        description: "Whether the API answers. For everybody, also without a token.",
        ...open,
        responses: { 200: { description: "It answers.", headers }, ...throttled },
      },
    },
    "/api/fulfillment/v1/capabilities": {
      get: {
        operationId: "public.capabilities.get",
        summary: "List operations and accepted token issuers",
        description:
          "The operations that are served, and the issuers whose tokens are accepted. For everybody, also without a token.",
        ...open,
        responses: {
          200: {
            description: "The capabilities of this deployment.",
            headers,
            content: { "application/json": { schema: schemas.reference(capabilitiesSchema) } },
          },
          ...throttled,
        },
      },
    },
  };
}
