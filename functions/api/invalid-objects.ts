import * as z from "zod";
import type { Violation } from "../../core/error.ts";
import { kindPartition } from "../../core/kernel/object/keys.ts";
import type { Kind } from "../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../core/kernel/object/object-of.ts";
import { objectIn } from "../../core/kernel/object/records.ts";
import type { RequestDeps } from "../../core/kernel/request/request-deps.ts";
import { faultsOf } from "../../core/kernel/request/stored.ts";
import type { Item } from "../../core/kernel/store/store.ts";
import type { Call } from "./call.ts";
import { pageSchema } from "./list/list.ts";
import { listQuery } from "./list/query.ts";
import { decodeToken, encodeToken, notOurs } from "./list/token.ts";
import { kindNames, view } from "./registry.ts";
import { prefixes, type Route, route } from "./route.ts";
import { apiOf } from "./schemas.ts";

/** Stored objects that break a newer rule: of every kind, by that kind's own rules. */

/** The most objects that one request checks. */
const mostJudged = 200;
/** The most objects that are read ahead of each kind behind the first: most kinds have fewer. */
const mostAhead = 20;

const invalidObjectSchema = z.object({
  kind: z.string().describe("The kind of the object."),
  id: z.string().describe("Its id."),
  name: z.string().describe("Its name."),
  tenant: z.string().describe("Its tenant."),
  violations: z
    .array(
      z.object({
        field: z.string().describe("The field with the refused value."),
        message: z.string().describe("What the value must be."),
      }),
    )
    .describe("The reasons to refuse a request with its values."),
});
type InvalidObject = z.output<typeof invalidObjectSchema>;

/** The start of the next page: a kind, and a cursor in it. */
const placeSchema = z.strictObject({ kind: z.string(), cursor: z.string().optional() });
type Place = z.output<typeof placeSchema>;

const kindsWithRules = (): Kind[] =>
  kindNames.filter((kind) => apiOf(kind).rules || apiOf(kind).faults);

export const invalidObjectRoutes: Route[] = [
  route({
    area: "private",
    subject: "invalid_object",
    verb: "list",
    method: "GET",
    path: `${prefixes.private}/invalid_objects`,
    summary: "List invalid objects",
    description:
      "Objects of all tenants with stored values that violate a newer rule. They can be read, deleted and changed, except for these values. `limit` is the number of objects to check, so a page may be empty and still have a next one.",
    query: ["limit", "page_token"],
    response: () =>
      pageSchema(invalidObjectSchema)
        .omit({ total: true, ids: true })
        .extend({ judged: z.int().describe("Number of objects that were checked for this page.") }),
    handle: invalidObjectsAnswer,
  }),
];

async function invalidObjectsAnswer(call: Call): Promise<Response> {
  const { limit, token } = listQuery(call, () => invalidObjectSchema);
  const most = Math.min(Math.max(limit, 1), mostJudged);
  const from = token === undefined ? firstPlace() : placeIn(token);
  const [{ found, next }] = await Promise.all([
    from ? nextFrom(call.deps, from, most) : { found: [], next: undefined },
    token === undefined ? settled(call.deps) : undefined,
  ]);
  const items = await Promise.all(found.map((item) => invalidIn(call.deps, item)));
  const invalid = items.flatMap((each) => each ?? []);
  return call.c.json({
    ...{ size: invalid.length, judged: found.length, items: invalid },
    ...(next !== undefined && { next_page_token: encodeToken(next) }),
  });
}

const settled = (deps: RequestDeps): Promise<unknown> =>
  Promise.all(kindsWithRules().map(async (kind) => apiOf(kind).settle?.(deps)));

/** The objects from a place, and the place behind them. All kinds are read at once, in one round of the store. */
async function nextFrom(
  { store }: RequestDeps,
  { kind: first, cursor }: Place,
  most: number,
): Promise<{ found: Item[]; next: Place | undefined }> {
  const all = kindsWithRules();
  const kinds = all.slice(all.indexOf(first as Kind));
  const pages = await Promise.all(
    kinds.map(async (kind, n) => {
      const query = { pk: kindPartition(kind), index: "g4" } as const;
      const limit = n === 0 ? most : Math.min(most, mostAhead);
      const at = n === 0 && cursor !== undefined ? { cursor } : {};
      return { kind, ...(await store.query({ ...query, limit, ...at })) };
    }),
  );
  const found: Item[] = [];
  for (const { kind, items, cursor: more } of pages) {
    if (found.length + items.length > most) return { found, next: { kind } };
    found.push(...items);
    if (more !== undefined) return { found, next: { kind, cursor: more } };
  }
  return { found, next: undefined };
}

function firstPlace(): Place | undefined {
  const [kind] = kindsWithRules();
  return kind && { kind };
}

function placeIn(token: string): Place {
  const place = decodeToken(token, placeSchema);
  if (!kindsWithRules().some((kind) => kind === place.kind)) throw notOurs();
  return place;
}

async function invalidIn(deps: RequestDeps, item: Item): Promise<InvalidObject | undefined> {
  const object: ObjectOf[Kind] = objectIn(deps.kinds, item);
  const { kind, id, metadata } = object;
  // An object that is being deleted is not changed any more, so its values do not matter.
  if (metadata.deletion_timestamp) return undefined;
  const violations = await faultsIn(deps, object);
  if (violations.length === 0) return undefined;
  return { kind, id, name: metadata.name, tenant: metadata.tenant, violations };
}

const faultsIn = <K extends Kind>(deps: RequestDeps, object: ObjectOf[K]): Promise<Violation[]> =>
  faultsOf(
    deps,
    apiOf(object.kind as K),
    object,
    view(object, { profile: "slipway", private: true }),
  );
