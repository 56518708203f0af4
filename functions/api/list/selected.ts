import * as z from "zod";
import { timestamp } from "../../../core/clock.ts";
import { namePartition, objectKey } from "../../../core/kernel/object/keys.ts";
import { type Kind, pluralOf } from "../../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import type { Wire } from "../../../core/kernel/object/wire-form.ts";
import { begun } from "../../../core/kernel/request/begun.ts";
import { type Caller, isPlausibleId, sees } from "../../../core/kernel/request/caller.ts";
import type { LiveStatus } from "../../../core/kernel/request/definition.ts";
import { pagesIn } from "../../../core/kernel/store/pages.ts";
import type { Store } from "../../../core/kernel/store/store.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { withLive } from "../answer.ts";
import type { Call } from "../call.ts";
import { readLives } from "../live.ts";
import { badParameter } from "../parameters.ts";
import { definitionOf, kindNames, view } from "../registry.ts";
import { apiOf } from "../schemas.ts";
import type { Filter } from "./filter.ts";
import { found } from "./found.ts";
import { labelled } from "./labelled.ts";
import { labelsIn } from "./labels.ts";
import { PageItems } from "./page-items.ts";
import type { ListQuery, Order } from "./query.ts";
import { pinned, textsOf } from "./required.ts";
import { allOf, countIn, countOf, objectsInSource, ownersOf, type Part } from "./source.ts";
import { decodeToken, encodeToken } from "./token.ts";

/** The most objects that a filter or an order without an index may read. */
const readLimit = 10_000;
const readAtOnce = 1000;

type Rank = (string | number)[];
const rankSchema = z.array(z.union([z.string(), z.number()])).max(32);

/**
 * A page of the objects that a filter selects, in the requested order. Throws Invalid when too many objects would
 * have to be read.
 */
export async function selectedPage<K extends Kind>(
  call: Call,
  kind: K,
  { limit, offset, order, token }: ListQuery,
  filter: Filter | undefined,
  lives: readonly LiveStatus<K>[],
): Promise<{ page: PageItems<K>; total: number; next: string | undefined }> {
  const now = timestamp(call.deps.clock.now());
  const objects = await candidates(call, kind, filter);
  const asked = lives.filter((live) => isAskedFor(live, filter, order));
  const wires = await judged(call, kind, objects, asked);
  const selected = objects
    .map((object, n) => ({ object, wire: wires[n] ?? {} }))
    .filter(({ wire }) => !filter || filter.matches({ this: wire, now }))
    .map(({ object, wire }) => ({ object, rank: rankOf(wire, object, order) }))
    .sort((a, b) => compare(a.rank, b.rank, order));

  const after = token === undefined ? undefined : decodeToken(token, rankSchema);
  const first = after ? selected.findIndex(({ rank }) => compare(rank, after, order) > 0) : offset;
  const start = first === -1 ? selected.length : first;
  const page = new PageItems<K>(call, limit);
  for (const { object } of selected.slice(start, start + limit)) if (!page.add(object)) break;
  const end = start + (page.ids ?? page.items).length;
  const last = selected[end - 1];
  return {
    page,
    total: selected.length,
    next: last && limit > 0 && end < selected.length ? encodeToken(last.rank) : undefined,
  };
}

/** Whether a filter or an order uses members of the status that are not stored in the records. */
const isAskedFor = <K extends Kind>(
  live: LiveStatus<K>,
  filter: Filter | undefined,
  order: Order[],
): boolean =>
  live.members.some(
    (member) =>
      [...(filter?.paths ?? [])].some((path) => `${path}.`.startsWith(`this.status.${member}.`)) ||
      order.some(({ path }) => path[0] === "status" && path[1] === member),
  );

/** The objects as filters and orders see them: complete, in any profile. */
async function judged<K extends Kind>(
  call: Call,
  kind: K,
  objects: ObjectOf[K][],
  lives: readonly LiveStatus<K>[],
): Promise<Wire[]> {
  const seen = { profile: "slipway", private: call.area === "private" } as const;
  const more = await readLives(lives, call.deps, call.caller, Promise.resolve(objects));
  return objects.map((object, n) => withLive(seen, kind, view(object, seen), more[n]));
}

/** The objects to which an index narrows the filter, else all of the kind. */
async function candidates<K extends Kind>(
  call: Call,
  kind: K,
  filter: Filter | undefined,
): Promise<ObjectOf[K][]> {
  const { deps, caller } = call;
  const ids = idsIn(filter)?.filter(isPlausibleId);
  const name = pinned(filter, "this.metadata.name");
  if (name !== undefined && !isPlausibleId(name)) return [];
  if (ids) return visible(caller, await withIds(deps.store, kind, ids));
  if (name !== undefined && !definitionOf(kind).attached && !caller.everywhere) {
    return visible(caller, await namedSo(deps.store, kind, ownersOf(kind, caller), name));
  }
  const tests = filter ? labelsIn(filter, caller) : [];
  if (tests.length > 0) {
    const { parts } = await labelled(deps.store, kind, caller, tests, { isJudged: true });
    await refuseMore(parts);
    return visible(caller, await all(deps.store, kind, parts));
  }
  const narrowed = filter && found(deps.store, kind, caller, filter);
  if (narrowed) {
    const { parts } = narrowed;
    return visible(caller, await all(deps.store, kind, parts, begun(refuseMore(parts))));
  }
  const isFew = begun(refuseMany(call, kind, filter));
  const { parts } = allOf(deps.store, kind, caller);
  return visible(caller, await all(deps.store, kind, parts, isFew));
}

const tooMany = () =>
  badParameter(
    "filter",
    `would read more than ${readLimit} objects: ask for labels alone and without order, or add a label that fewer objects have`,
  );

async function refuseMore(parts: Part[]): Promise<void> {
  if ((await countIn(parts, readLimit + 1)) > readLimit) throw tooMany();
}

async function refuseMany(call: Call, kind: Kind, filter: Filter | undefined): Promise<void> {
  const count = await countOf(call.deps.store, kind, call.caller);
  if (count <= readLimit) return;
  throw badParameter(
    filter ? "filter" : "order",
    `would read ${count} objects; above ${readLimit} a filter must fix one of: id, metadata.name, a label, and ${lookups()}`,
  );
}

/** The ids that a filter narrows the objects to. */
const idsIn = (filter: Filter | undefined): string[] | undefined =>
  filter?.required.flatMap((tests) => {
    const texts = textsOf(tests, "this.id");
    return texts ? [texts] : [];
  })[0];

/** The existing objects with these ids. */
const withIds = <K extends Kind>(
  store: Store,
  kind: K,
  ids: string[],
): Promise<(ObjectOf[K] | undefined)[]> =>
  objectsInSource(
    store,
    kind,
    { ids: true },
    ids.map((id) => ({ ...objectKey(kind, id), id })),
  );

const lookups = (): string =>
  kindNames
    .flatMap((kind) => {
      const looked = (apiOf(kind).lookups ?? []).flatMap(({ path, ofAllTenants }) =>
        ofAllTenants ? [] : [path],
      );
      const [first] = definitionOf(kind).stored?.foundBy ?? [];
      const paths = [...looked, ...(first ? [first.path] : [])];
      return paths.map((path) => `${path} of ${pluralOf(kind)}`);
    })
    .join(", ");

/** The objects with a name: each project of a tenant may have one. */
async function namedSo<K extends Kind>(store: Store, kind: K, owners: string[], name: string) {
  const objects: (ObjectOf[K] | undefined)[] = [];
  for (const owner of owners) {
    const pk = namePartition(kind, owner, name);
    for await (const claims of pagesIn(store, { pk }))
      objects.push(...(await objectsInSource(store, kind, { ids: true }, claims)));
  }
  return objects;
}

/**
 * The objects that the caller sees, each once. One may occur twice: two operations may name it, or it moved within
 * an index while it was read.
 */
function visible<K extends Kind>(
  caller: Caller,
  objects: (ObjectOf[K] | undefined)[],
): ObjectOf[K][] {
  const seen = new Map<string, ObjectOf[K]>();
  for (const object of objects)
    if (object !== undefined && sees(kinds, caller, object)) seen.set(object.id, object);
  return [...seen.values()];
}

/** Reads all parts in parallel, but only one page of each until the number of objects is known to be small. */
async function all<K extends Kind>(
  store: Store,
  kind: K,
  parts: Part[],
  isFew = Promise.resolve(),
): Promise<(ObjectOf[K] | undefined)[]> {
  const read = parts.map(async (part) => {
    const objects: (ObjectOf[K] | undefined)[] = [];
    let cursor: string | undefined;
    do {
      const page = await part.read(readAtOnce, cursor);
      objects.push(...(await objectsInSource(store, kind, part, page.items)));
      await isFew;
      cursor = page.cursor;
    } while (cursor !== undefined);
    return objects;
  });
  const [found] = await Promise.all([Promise.all(read), isFew]);
  return found.flat();
}

/** The sort key of an object, unique by creation time and id. */
function rankOf(wire: Wire, { id, metadata }: ObjectOf[Kind], order: Order[]): Rank {
  return [...order.map(({ path }) => sortable(wire, path)), metadata.creation_timestamp, id];
}

/** The sort value of a member; an absent one sorts first, like an empty text. */
function sortable(wire: Wire, path: string[]): string | number {
  const value = path.reduce<unknown>(
    (part, name) =>
      typeof part === "object" && part !== null && Object.hasOwn(part, name)
        ? Reflect.get(part, name)
        : undefined,
    wire,
  );
  if (typeof value === "number" || typeof value === "string") return value;
  return value === undefined ? "" : JSON.stringify(value);
}

function compare(a: Rank, b: Rank, order: Order[]): number {
  for (const [n, x] of a.entries()) {
    const y = b[n] ?? "";
    if (x === y) continue;
    const up = typeof x === "number" && typeof y === "number" ? x < y : String(x) < String(y);
    return up === (order[n]?.descending ?? false) ? 1 : -1;
  }
  return 0;
}
