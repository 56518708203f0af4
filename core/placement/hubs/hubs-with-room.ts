import { hubRegionPartition, hubsWithPartition } from "../../kernel/object/hub-keys.ts";
import { everyItem, pagesIn } from "../../kernel/store/pages.ts";
import type { Query, Store } from "../../kernel/store/store.ts";
import type { Constraints } from "./candidate.ts";
import {
  type Entry,
  entryIn,
  lotOf,
  sectionIn,
  sectionsWith,
  wildcard,
  withoutRoom,
} from "./room.ts";

/**
 * Finds hubs that may serve an owner in the lists of hubs with room, a page at a time. Hubs that are reserved for the
 * tenant come first. Strongly consistent, but entries may lag behind their hubs.
 */

export interface HubSearch {
  where: Constraints;
  slot: boolean;
  /** The number of hosts that the owner lacks, by type. */
  types: ReadonlyMap<string, number>;
}

/** The position of an entry among all lists of a search: the list's partition, and the entry in it. */
export interface ScanPosition {
  list: string;
  entry: string;
}

/** The known data of hubs that a plan has not read. */
export interface UnreadHubs {
  count: number;
  /** The position in the lists of hubs with room that the plan has reached; absent at their end. */
  walked?: ScanPosition;
}

/** The entries of a page that may fit, and the position that the query has reached. */
export interface EntryPage {
  entries: Entry[];
  walked: ScanPosition;
}

/** The number of entries read at a time: of likely ones, and of others. */
export interface PageSizes {
  likely: number;
  onward: number;
}

interface Lists {
  partitions: string[];
  /** The first and the last sort key of entries with room. */
  range: { from: string; to: string };
  /** The number of entries read at a time: many where the entries alone can exclude most hubs. */
  limit: number;
  fits(entry: Entry): boolean;
}

/**
 * Every hub whose entry promises room, starting at a random one, so that many concurrent orders do not meet on one hub.
 */
export async function* likely(
  store: Store,
  search: HubSearch,
  random: () => number,
  sizes: PageSizes,
): AsyncGenerator<EntryPage> {
  const { partitions, range, limit, fits } = await listsFor(store, search, sizes, random());
  for (const pk of partitions) {
    const page = (entries: Entry[]): EntryPage => ({
      entries: entries.filter(fits),
      walked: { list: pk, entry: entries.at(-1)?.sk ?? "" },
    });
    const first = await store.query({ pk, range, limit });
    const entries = first.items.map(entryIn);
    const [best] = entries;
    if (first.cursor === undefined || !best) {
      yield page(entries);
      continue;
    }
    const [start, end] = [`${sectionIn(best)}#${lotOf(random())}`, `${sectionIn(best)}~`];
    const inOrder = [
      { from: start, to: end },
      { from: range.from, to: start },
      { from: end, to: range.to },
    ];
    for (const each of inOrder)
      if (each.from < each.to)
        for await (const more of pagesOf(store, { pk, range: each, limit })) yield page(more);
  }
}

/**
 * Every hub whose entry promises room, in the order of the lists, after those already walked. Starts again where the
 * search no longer has that list, because the last hub of its region was removed.
 */
export async function* onward(
  store: Store,
  search: HubSearch,
  sizes: PageSizes,
  walked?: ScanPosition,
): AsyncGenerator<EntryPage> {
  const { partitions, range, fits } = await listsFor(store, search, sizes);
  const begin = Math.max(0, walked ? partitions.indexOf(walked.list) : 0);
  for (const pk of partitions.slice(begin)) {
    const isBehind = walked?.list === pk && walked.entry > range.from;
    const from = isBehind ? walked.entry : range.from;
    if (from > range.to) continue;
    const query = { pk, range: { from, to: range.to }, limit: sizes.onward };
    let entry = from;
    for await (const entries of pagesOf(store, query)) {
      entry = entries.at(-1)?.sk ?? entry;
      yield { entries: entries.filter(fits), walked: { list: pk, entry } };
    }
  }
}

/** The number of pages read for examples. */
const examplePages = 100;

/** Some hubs without room for the owner, which show the scarce types. */
export async function examples(
  store: Store,
  search: HubSearch,
  sizes: PageSizes,
): Promise<Entry[]> {
  let left = examplePages;
  for (const types of [search.types, new Map<string, number>()]) {
    const { partitions, limit } = await listsFor(store, { ...search, types }, sizes);
    const range = types.size > 0 ? withoutRoom : {};
    for (const pk of partitions)
      for await (const entries of pagesOf(store, { pk, range, limit })) {
        const found = entries.filter((entry) => mayServe(entry, search.where));
        if (found.length > 0) return found.slice(0, sizes.likely);
        left -= 1;
        if (left === 0) return [];
      }
  }
  return [];
}

async function listsFor(
  store: Store,
  search: HubSearch,
  sizes: PageSizes,
  turn = 0,
): Promise<Lists> {
  const { where, slot, types } = search;
  // The type with the smallest demand is usually the scarcest.
  const [scarcest] = [...types].sort(([a, m], [b, n]) => m - n || (a < b ? -1 : 1));
  const [type, count] = scarcest ?? [wildcard, 0];
  const sections: readonly string[] = sectionsWith(count, slot);
  const regions = where.region === undefined ? await regionsWithHubs(store) : [where.region];
  const first = Math.floor(turn * regions.length);
  const inTurn = [...regions.slice(first), ...regions.slice(0, first)];
  const { labels = {} } = where;
  const isNarrow = types.size > 1 || Object.keys(labels).length > 0 || !slot;
  return {
    partitions: [where.tenant, wildcard].flatMap((audience) =>
      inTurn.map((region) => hubsWithPartition(audience, type, region)),
    ),
    range: { from: "a", to: `${sections.at(-1) ?? "a"}~` },
    limit: isNarrow ? sizes.onward : sizes.likely,
    fits: (entry) =>
      sections.includes(sectionIn(entry)) &&
      mayServe(entry, where) &&
      [...types.keys()].every((each) => entry.facts?.types.includes(each) ?? true),
  };
}

const mayServe = ({ facts }: Entry, { labels = {} }: Constraints): boolean =>
  !facts || Object.entries(labels).every(([key, value]) => facts.labels[key] === value);

async function regionsWithHubs(store: Store): Promise<string[]> {
  const regions = await everyItem(store, { pk: hubRegionPartition });
  return regions.flatMap(({ sk, count }) => (Number(count) > 0 ? [sk] : []));
}

async function* pagesOf(store: Store, query: Query): AsyncGenerator<Entry[]> {
  for await (const items of pagesIn(store, query)) yield items.map(entryIn);
}
