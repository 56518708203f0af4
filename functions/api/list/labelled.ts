import { createHash } from "node:crypto";
import type { Kind } from "../../../core/kernel/object/object.ts";
import { type Caller, sees } from "../../../core/kernel/request/caller.ts";
import { cursorAt, decodeCursor } from "../../../core/kernel/store/cursor.ts";
import type { Counted, Item, Page, Store } from "../../../core/kernel/store/store.ts";
import { kinds } from "../registry.ts";
import { type LabelTests, passes } from "./labels.ts";
import { inAll, inAny, type Keys, sortKeysIn } from "./sorted.ts";
import {
  countIn,
  labelledPartitions,
  objectsInSource,
  type Part,
  type Partition,
  type Source,
  stored,
} from "./source.ts";
import { notOurs } from "./token.ts";

/**
 * Lists of objects by their labels, from the entries of these alone. The lists of all labels have the same
 * order, so they are merged by their keys. A list that is much longer than the shortest is not read:
 * objects say themselves whether they have its label.
 */

/** A list that is so many times as long as the shortest is not merged: an object is a unit, and so many keys. */
const manyTimes = 16;
/** Lists are counted up to this, and then up to four times as much, until the shortest has been counted. */
const firstCount = 64;

/** Each test's partitions, of the tests of which an object has to pass one. */
type List = Partition[][];

interface Options {
  /** Which of the tests' lists are merged, as it was found out for the first page. */
  merged?: number[] | undefined;
  /** The list may have objects that lack a label: who reads them judges each. */
  isJudged?: boolean;
}

/** The objects of a kind that a caller sees and that pass the tests. */
export async function labelled(
  store: Store,
  kind: Kind,
  caller: Caller,
  tests: LabelTests,
  { merged: known, isJudged = false }: Options = {},
): Promise<Source> {
  const isIn: Source["isIn"] = (object) =>
    sees(kinds, caller, object) && passes(object.metadata, tests);
  const lists = tests.map((each) =>
    each
      .map((test) => labelledPartitions(kind, caller, test))
      .filter((partitions) => partitions.length > 0),
  );
  const [only = []] = lists;
  if (lists.length === 1 && only.length === 1) {
    const parts = only.flat().map((partition) => stored(store, partition));
    return { parts, isIn, total: () => countIn(parts), isCounted: true };
  }
  const isNone = lists.some((list) => list.length === 0);
  const merged = isNone || lists.length === 1 ? [0] : (known ?? (await shortOnes(store, lists)));
  if (merged.some((number) => number >= lists.length)) throw notOurs();
  const isWhole = isJudged || lists.every((_, number) => merged.includes(number));
  const read: Merged = {
    pk: `labels#${createHash("sha256").update(JSON.stringify(tests)).digest("base64url")}`,
    lists: lists.filter((_, number) => merged.includes(number)),
    ...(!isWhole && { kept: async (keys) => keptOf(store, kind, keys, isIn) }),
  };
  const places = isNone ? [] : (only[0] ?? []);
  const parts = places.map((_, place) => mergedPart(store, read, place));
  const isSum = lists.length === 1 && tests.every(haveOneValue);
  return {
    parts,
    isIn,
    total: () => countIn(isSum ? only.flat().map((each) => stored(store, each)) : parts),
    isCounted: true,
    ...(lists.length > 1 && !isNone && { merged }),
  };
}

/** Whether no object passes two of the tests: it has one value under a key. */
const haveOneValue = ([first, ...others]: LabelTests[number]): boolean =>
  first?.value !== undefined &&
  others.every(({ key, value }) => key === first.key && value !== undefined);

/** The numbers of the shortest list, and of those that are not much longer. */
async function shortOnes(store: Store, lists: List[]): Promise<number[]> {
  for (let most = firstCount; ; most *= 4) {
    const counts = await Promise.all(
      lists.map((list) =>
        countIn(
          list.flat().map((each) => stored(store, each)),
          most * manyTimes,
        ),
      ),
    );
    const least = Math.min(...counts);
    if (least <= most)
      return counts.flatMap((count, number) => (count <= least * manyTimes ? number : []));
  }
}

/** Lists that are merged, and what objects say themselves of the lists that are not. */
interface Merged {
  /** A name for the cursors, so that they are refused elsewhere. */
  pk: string;
  lists: List[];
  kept?: (keys: string[]) => Promise<string[]>;
}

/** What lists have in common in one of their partitions. */
function mergedPart(store: Store, { pk, lists, kept }: Merged, place: number): Part {
  const range = lists[0]?.[0]?.[place]?.range;
  const keysBehind = (cursor: string | undefined): Keys => {
    const after = cursor && decodeCursor(cursor, { pk, ...(range && { range }) }).table.sk;
    const ofTest = (partitions: Partition[]) => {
      const partition = partitions[place];
      return partition ? [sortKeysIn(store, partition, after)] : [];
    };
    return inAll(lists.map((list) => inAny(list.flatMap(ofTest))));
  };
  const itemAt = (sk: string): Item => ({ pk, sk, id: idIn(sk) });
  const behind = (item: Item) => cursorAt(item);
  const upTo = async (limit: number | undefined, cursor?: string): Promise<Counted & Page> => {
    const found: string[] = [];
    let count = 0;
    for await (const all of keysBehind(cursor)) {
      const keys = kept ? await kept(all) : all;
      count += keys.length;
      if (limit === undefined) continue;
      found.push(...keys);
      if (count >= limit) break;
    }
    const items = found.slice(0, limit).map(itemAt);
    const last = items.at(-1);
    const isLimited = limit !== undefined && count >= limit;
    if (!isLimited || !last) return { count, items };
    return { count: limit, items, cursor: behind(last) };
  };
  return { read: upTo, count: upTo, behind, ids: true };
}

/** The keys of the objects that are still in the list. */
async function keptOf(
  store: Store,
  kind: Kind,
  keys: string[],
  isIn: Source["isIn"],
): Promise<string[]> {
  const items = keys.map((sk) => ({ pk: "-", sk, id: idIn(sk) }));
  const objects = await objectsInSource(store, kind, { ids: true }, items);
  return keys.filter((_, n) => {
    const object = objects[n];
    return object && isIn(object);
  });
}

/** The key of an entry ends with the object's id. */
const idIn = (key: string): string => key.slice(key.lastIndexOf("#") + 1);
