import { poolUses } from "../../../core/at-site/site.ts";
import { typeNameOf } from "../../../core/kernel/object/object.ts";
import { ownedKinds } from "../../../core/reconcile/owners/schema.ts";
import { type HeaderParameter, maxLimit, maxOffset, type QueryParameter } from "../parameters.ts";
import type { Route } from "../route.ts";
import type { Description } from "./schemas.ts";

/** Parameters and headers, with one meaning in all operations. */

interface Parameter {
  in: "query" | "header";
  description: string;
  schema: object;
}

const text = { type: "string" };
const flag = { type: "boolean" };

const parameters: Record<QueryParameter | HeaderParameter, Parameter> = {
  filter: {
    in: "query",
    description:
      "Only objects or events that meet this condition, in OSAC's subset of CEL, at most 4096 characters. Lists call the object `this`, watches call the event `event`.",
    schema: text,
  },
  order: {
    in: "query",
    description: "Members to sort by, such as `metadata.name desc, status.state`.",
    schema: text,
  },
  limit: {
    in: "query",
    description: `The largest number of items on the page: 100 by default, ${maxLimit} at most.`,
    schema: { type: "integer", minimum: 0 },
  },
  offset: {
    in: "query",
    description:
      "Items to skip; less than 0 is 0, as in OSAC. `page_token` goes further and costs less.",
    schema: { type: "integer", maximum: maxOffset },
  },
  page_token: {
    in: "query",
    description: "The `next_page_token` of the page before; left out for the first page.",
    schema: text,
  },
  ids_only: {
    in: "query",
    description:
      "`true`: answer `ids` without items. Get the objects with the filter `this.id in [...]`.",
    schema: flag,
  },
  dry_run: {
    in: "query",
    description: "Check the request by every rule, and store nothing.",
    schema: flag,
  },
  "X-Dry-Run": {
    in: "header",
    description: "`true` means the same as `dry_run=true`; for OSAC's clients.",
    schema: text,
  },
  "Idempotency-Key": {
    in: "header",
    description:
      "1 to 255 visible ASCII characters, new for each request. A repeat within 24 hours with the same body gets the first answer and creates nothing.",
    schema: text,
  },
  update_mask: {
    in: "query",
    description:
      "Paths of the only members to change, such as `metadata.labels.team,spec.node_sets`.",
    schema: text,
  },
  lock: {
    in: "query",
    description:
      "Change it only if the body's `metadata.version` is current; else 409, as in OSAC.",
    schema: flag,
  },
  "If-Match": {
    in: "header",
    description: "Proceed only if one of these ETags is current; else 412.",
    schema: text,
  },
  tenant: {
    in: "query",
    description: "The name of the tenant; your own by default, required if you belong to none.",
    schema: text,
  },
  chain: {
    in: "query",
    description: "Only entries of this chain, a number from 0 to 31, in the order of the chain.",
    schema: text,
  },
  object: {
    in: "query",
    description:
      "In place of `tenant`: only entries about the object with this id, in the audits of all tenants.",
    schema: text,
  },
  actor: {
    in: "query",
    description: "In place of `tenant`: only entries of this user, in the audits of all tenants.",
    schema: text,
  },
  kind: {
    in: "query",
    description: `What is asked about: ${ownedKinds.map((kind) => `\`${kind}\``).join(", ")}. Required.`,
    schema: { type: "string", enum: ownedKinds },
  },
  value: {
    in: "query",
    description: "The number, address or name itself. Required.",
    schema: text,
  },
  pool: {
    in: "query",
    description: `The pool of the site: ${poolUses.map((use) => `\`${use}\``).join(", ")}. Required.`,
    schema: { type: "string", enum: poolUses },
  },
  from: {
    in: "query",
    description:
      "The first number: `107`, `10.64.7.0/24` or `203.0.113.9`; the pool's first by default.",
    schema: text,
  },
  site: {
    in: "query",
    description: "The id of the site; all sites by default.",
    schema: text,
  },
  network: {
    in: "query",
    description: "The id of a tenant's network to look in, for addresses and prefixes of tenants.",
    schema: text,
  },
  "Last-Event-ID": {
    in: "header",
    description:
      "Events after this one: the `Last-Event-ID` of the answer before, or `0` for all that are kept. Without it, events from now on.",
    schema: text,
  },
  last_event_id: {
    in: "query",
    description: "As the header Last-Event-ID, for clients that cannot set headers.",
    schema: text,
  },
  include_unpublished: {
    in: "query",
    description: "Has no effect; a client of OSAC sends it.",
    schema: text,
  },
};

const componentOf = (name: string): string => name.replaceAll("-", "");

/** The parameters as components, each described once. */
export const parameterComponents = Object.fromEntries(
  Object.entries(parameters).map(([name, rest]) => [
    componentOf(name),
    { name, required: false, ...rest },
  ]),
);

/** The parameters in a route's path, each with the noun before it. */
const inPath = ({ path }: Route): { component: string; name: string; plural: string }[] =>
  [...path.matchAll(/([a-z_]+)s\/\{(\w+)\}/g)].map(([, singular = "", name = ""]) => ({
    component: typeNameOf(`${singular}_${name}`),
    name,
    plural: `${singular}s`,
  }));

/** The path parameters as components, such as `ClusterId`. */
export const pathParameterComponents = (routes: Route[]): Record<string, Description> =>
  Object.fromEntries(
    routes.flatMap(inPath).map(({ component, name, plural }) => [
      component,
      {
        name,
        in: "path",
        required: true,
        description: `The \`id\` of one of the ${plural.replaceAll("_", " ")}.`,
        schema: text,
      },
    ]),
  );

export const openApiParametersOf = (route: Route): object[] =>
  [
    ...inPath(route).map(({ component }) => component),
    ...[...(route.query ?? []), ...(route.headers ?? [])].map(componentOf),
  ].map((component) => ({ $ref: `#/components/parameters/${component}` }));

const header = (description: string, schema: object = text) => ({ description, schema });

/** The headers of answers. */
export const headerComponents = {
  "X-Request-Id": header(
    "The request's id in the provider's log; your own if the request had one.",
  ),
  ETag: header("The version of the object, for `If-Match`."),
  "Operation-Location": header("Path of the operation, if there is work to do."),
  "Idempotent-Replayed": header("`true` for a repeated `Idempotency-Key`."),
  "Last-Event-ID": header("The end of this answer; send it with the next request."),
  "Retry-After": header("Seconds to wait before the next try.", { type: "integer" }),
  RateLimit: header("The rest of each limit: `r` requests, or `t` seconds until the next."),
  "RateLimit-Policy": header("Each limit: `q` requests in `w` seconds."),
};

export type HeaderName = keyof typeof headerComponents;

export const headersNamed = (names: readonly HeaderName[]): object =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
