import type { Query, Store } from "../../../core/kernel/store/store.ts";

/**
 * Sorted keys from several partitions with the same order. They come in batches, since a promise for each of a
 * million keys would be slow.
 */
export type Keys = AsyncGenerator<string[]>;

/** The size of the first read; each further one is four times as large. */
const firstRead = 100;

/** The keys of a partition after one of them, or from the start. */
export async function* sortKeysIn(store: Store, partition: Query, after?: string): Keys {
  const { index } = partition;
  const range = after === undefined ? partition.range : behind(after, partition.range);
  let cursor: string | undefined;
  let limit = firstRead;
  do {
    const page = await store.query({
      ...partition,
      ...(range && { range }),
      ...(cursor !== undefined && { cursor }),
      ...{ only: "keys", limit },
    });
    yield page.items.map((item) => String(item[index ? `${index}sk` : "sk"]));
    cursor = page.cursor;
    limit *= 4;
  } while (cursor !== undefined);
}

/** In keys, a space sorts before and '~' after everything that follows an object's id. */
const behind = (after: string, range: Query["range"]): Query["range"] => ({
  from: `${after} `,
  ...(range && "prefix" in range && { to: `${range.prefix}~` }),
});

/** The union of the streams, each key once. */
export async function* inAny(streams: Keys[]): Keys {
  if (streams.length === 1) yield* streams[0] ?? [];
  else for await (const { parts } of stretches(streams)) yield [...new Set(parts.flat())].sort();
}

/** The intersection of the streams. */
export async function* inAll(streams: Keys[]): Keys {
  if (streams.length === 1) yield* streams[0] ?? [];
  else
    for await (const { parts, isOneOver } of stretches(streams)) {
      const [few = [], ...others] = parts.toSorted((a, b) => a.length - b.length);
      const sets = few.length > 0 ? others.map((part) => new Set(part)) : [];
      yield few.filter((key) => sets.every((set) => set.has(key)));
      if (isOneOver) return;
    }
}

/** The keys of each stream up to the lowest key that all reads have reached. */
async function* stretches(
  streams: Keys[],
): AsyncGenerator<{ parts: string[][]; isOneOver: boolean }> {
  const read = streams.map((stream) => ({ stream, keys: [] as string[], isOver: false }));
  for (;;) {
    await Promise.all(read.map(more));
    const [end] = read.flatMap(({ keys }) => keys.at(-1) ?? []).sort();
    if (end === undefined) return;
    const parts = read.map((each) => {
      const count = firstAbove(each.keys, end);
      const part = each.keys.slice(0, count);
      each.keys = each.keys.slice(count);
      return part;
    });
    yield { parts, isOneOver: read.some(({ keys, isOver }) => isOver && keys.length === 0) };
  }
}

async function more(from: { stream: Keys; keys: string[]; isOver: boolean }): Promise<void> {
  while (from.keys.length === 0 && !from.isOver) {
    const { value, done } = await from.stream.next();
    if (done) from.isOver = true;
    else from.keys = value;
  }
}

/** The number of sorted keys that are not above a key. */
function firstAbove(keys: string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? "") <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}
