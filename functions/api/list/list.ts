import * as z from "zod";
import type { Kind } from "../../../core/kernel/object/object.ts";
import { begun } from "../../../core/kernel/request/begun.ts";
import type { LiveStatus } from "../../../core/kernel/request/definition.ts";
import { hasLive, withLive } from "../answer.ts";
import type { Call } from "../call.ts";
import { readLives } from "../live.ts";
import { apiOf, schemaIn } from "../schemas.ts";
import { compiled } from "./compiled.ts";
import type { Filter } from "./filter.ts";
import { found } from "./found.ts";
import { pageInOrder, placeSchema } from "./in-order.ts";
import { labelled } from "./labelled.ts";
import { asksForLabels, labelsIn } from "./labels.ts";
import { asksForIds, PageItems } from "./page-items.ts";
import { type ListQuery, listQuery } from "./query.ts";
import { selectedPage } from "./selected.ts";
import { allOf, type Source } from "./source.ts";
import { decodeToken, encodeToken } from "./token.ts";

/** `size`, `total` and `items` are always present, because an older user interface expects them. */
export const pageSchema = <Item extends z.ZodType>(item: Item) =>
  z.object({
    size: z.int().describe("Number of items on this page."),
    total: z.int().describe("How many there are on all pages."),
    items: z.array(item).describe("The items of this page."),
    ids: z.array(z.string()).optional().describe("With `ids_only`: the ids of this page."),
    next_page_token: z.string().optional().describe("For `page_token`; absent on the last page."),
  });

/** Reads a page of one kind, with what is not stored in its records. Throws Invalid for invalid parameters. */
export async function readList<K extends Kind>(
  call: Call,
  kind: K,
  lives: readonly LiveStatus<K>[],
) {
  const search = pageOf(call, kind, lives);
  const objects = begun(search.then(({ page }) => page.objects));
  const isLive = hasLive(call.view, kind) && !asksForIds(call);
  return Promise.all([
    search,
    isLive ? readLives(lives, call.deps, call.caller, objects) : undefined,
  ]);
}

/** Answers a list of one kind. Throws Invalid for parameters that make no sense. */
export async function listAnswer<K extends Kind>(
  call: Call,
  kind: K,
  lives: readonly LiveStatus<K>[],
): Promise<Response> {
  const [{ page, total, next }, more] = await readList(call, kind, lives);
  const { items, ids } = page;
  const whole = items.map((item, n) => withLive(call.view, kind, item, more?.[n]));
  // OSAC's clients page by offset and refuse unknown members.
  const token = call.profile === "osac" ? undefined : next;
  return call.c.json({
    size: ids?.length ?? whole.length,
    total,
    items: whole,
    ...(ids && { ids }),
    ...(token === undefined ? {} : { next_page_token: token }),
  });
}

async function pageOf<K extends Kind>(call: Call, kind: K, lives: readonly LiveStatus<K>[]) {
  const query = listQuery(call, () => schemaIn(call.area, kind));
  const filter = await filterOf(call, kind, query.filter);
  const { deps, caller } = call;
  const isOrdered = query.order.length > 0;
  const narrowed = filter && !isOrdered ? found(deps.store, kind, caller, filter) : undefined;
  if (narrowed?.isAll) return walked(call, kind, query, async () => narrowed);
  if (isOrdered || (filter && !asksForLabels(filter, caller)))
    return selectedPage(call, kind, query, filter, lives);
  const tests = filter ? labelsIn(filter, caller) : [];
  return walked(call, kind, query, async (merged) =>
    tests.length > 0
      ? labelled(deps.store, kind, caller, tests, { merged })
      : allOf(deps.store, kind, caller),
  );
}

/**
 * A page token of a list in order of creation: the next page's position, and what was determined for the first
 * page.
 */
const tokenSchema = placeSchema.extend({
  total: z.int().min(0).optional(),
  merged: z.array(z.int().min(0)).min(1).max(500).optional(),
});

/** A page in order of creation. Reads only the objects that it shows. */
async function walked<K extends Kind>(
  call: Call,
  kind: K,
  { limit, offset, token }: ListQuery,
  sourceOf: (merged: number[] | undefined) => Promise<Source>,
) {
  const page = new PageItems<K>(call, limit);
  const from = token === undefined ? undefined : decodeToken(token, tokenSchema);
  const source = await sourceOf(from?.merged);
  const { isCounted, merged } = source;
  const [total, next] = await Promise.all([
    (isCounted ? from?.total : undefined) ?? source.total(),
    limit === 0 ? undefined : pageInOrder(call.deps.store, kind, source, { offset, from }, page),
  ]);
  return {
    page,
    total,
    next: next && encodeToken({ ...next, ...(isCounted && { total, merged }) }),
  };
}

async function filterOf(call: Call, kind: Kind, text: string): Promise<Filter | undefined> {
  const compile = (each: string) => compiled(each, { roots: { this: schemaIn(call.area, kind) } });
  const filter = text === "" ? undefined : await compile(text);
  const extra = call.area === "public" ? offered(kind, filter?.paths) : "";
  if (extra === "") return filter;
  const second = await compile(extra);
  if (!filter) return second;
  const matches: Filter["matches"] = (values) => filter.matches(values) && second.matches(values);
  return { ...filter, isAllRequired: false, matches };
}

/** Tenants see only what they can order, unless they request others. */
const offered = (kind: Kind, paths: Set<string> = new Set()): string =>
  (apiOf(kind).offered ?? [])
    .flatMap(({ path, filter }) => (paths.has(`this.${path}`) ? [] : [filter]))
    .join(" && ");
