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
 * Lists of objects by their labels, from the labels' entries alone. The lists of all labels have the same order, so
 * they are merged by their keys. A list much longer than the shortest one is not read; instead its label is checked
 * on the objects.
 */

/**
 * A list this many times longer than the shortest is not merged: reading an object costs as much as reading this
 * many keys.
 */
const manyTimes = 16;
/** Lists are counted up to this many entries, then up to four times as many, until the shortest is counted. */
const firstCount = 64;

/** A list of objects that pass one of several tests: the partitions of each test. */
type List = Partition[][];

interface Options {
  /** The numbers of the tests whose lists are merged, as chosen for the first page. */
  merged?: number[] | undefined;
  /** Whether the list may have objects without a label, so that each is checked. */
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

/** Whether no object can pass two of the tests, since a label has one value. */
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

/** The merged lists, and the check of the other labels on the objects themselves. */
interface Merged {
  /** The name in cursors, so that other lists refuse them. */
  pk: string;
  lists: List[];
  kept?: (keys: string[]) => Promise<string[]>;
}

/** The objects that are in all merged lists, in one partition. */
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

/** The keys whose objects still have the labels. */
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
