import * as z from "zod";
import type { Violation } from "../../core/error.ts";
import type { Deps } from "../../core/kernel/deps.ts";
import { kindPartition } from "../../core/kernel/object/keys.ts";
import type { Kind } from "../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../core/kernel/object/object-of.ts";
import { objectIn } from "../../core/kernel/object/records.ts";
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

/** The most objects that one request checks, and how many of them in parallel. */
const mostJudged = 200;
const atOnce = 20;

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
  const items: InvalidObject[] = [];
  let judged = 0;
  let place: Place | undefined = token === undefined ? firstPlace() : placeIn(token);
  if (token === undefined)
    for (const kind of kindsWithRules()) await apiOf(kind).settle?.(call.deps);
  while (place !== undefined && judged < most) {
    const { kind, cursor }: Place = place;
    const page = await call.deps.store.query({
      ...{ pk: kindPartition(kind as Kind), index: "g4", limit: Math.min(most - judged, atOnce) },
      ...(cursor !== undefined && { cursor }),
    });
    const found = await Promise.all(page.items.map((item) => invalidIn(call.deps, item)));
    items.push(...found.flatMap((each) => each ?? []));
    judged += page.items.length;
    place = page.cursor === undefined ? placeBehind(kind) : { kind, cursor: page.cursor };
  }
  return call.c.json({
    ...{ size: items.length, judged, items },
    ...(place !== undefined && { next_page_token: encodeToken(place) }),
  });
}

function firstPlace(): Place | undefined {
  const [kind] = kindsWithRules();
  return kind && { kind };
}

function placeBehind(kind: string): Place | undefined {
  const kinds = kindsWithRules();
  const next = kinds[kinds.indexOf(kind as Kind) + 1];
  return next && { kind: next };
}

function placeIn(token: string): Place {
  const place = decodeToken(token, placeSchema);
  if (!kindsWithRules().some((kind) => kind === place.kind)) throw notOurs();
  return place;
}

async function invalidIn(deps: Deps, item: Item): Promise<InvalidObject | undefined> {
  const object: ObjectOf[Kind] = objectIn(deps.kinds, item);
  const { kind, id, metadata } = object;
  // An object that is being deleted is not changed any more, so its values do not matter.
  if (metadata.deletion_timestamp) return undefined;
  const violations = await faultsIn(deps, object);
  if (violations.length === 0) return undefined;
  return { kind, id, name: metadata.name, tenant: metadata.tenant, violations };
}

const faultsIn = <K extends Kind>(deps: Deps, object: ObjectOf[K]): Promise<Violation[]> =>
  faultsOf(
    deps,
    apiOf(object.kind as K),
    object,
    view(object, { profile: "slipway", private: true }),
  );
