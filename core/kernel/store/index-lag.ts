import { byteOrder } from "./byte-order.ts";
import { indexKey, keyId } from "./check.ts";
import { inRange, type Position, positionOf } from "./cursor.ts";
import type { Index, Item, Key, Query } from "./store.ts";

interface IndexChange {
  key: Key;
  before?: Item;
}

/** For tests: answers index queries as of some writes ago, as a lagging index of DynamoDB can. */
export class IndexLag {
  readonly #writes: number;
  #recent: IndexChange[] = [];

  /** Lags `writes` writes behind. */
  constructor(writes: number) {
    this.#writes = writes;
  }

  record(change: IndexChange): void {
    this.#recent.push(change);
    if (this.#recent.length > this.#writes) this.#recent.shift();
  }

  catchUp(): void {
    this.#recent = [];
  }

  /** The items that a lagging query answers; `now` is the present content of the index partition. */
  view(query: Query & { index: Index }, now: Item[], start: Position | undefined): Item[] {
    const then = new Map<string, Item | undefined>();
    for (const { key, before } of this.#recent) {
      if (!then.has(keyId(key))) then.set(keyId(key), before);
    }
    const unchanged = now.filter((item) => !then.has(keyId(item)));
    const items = [...unchanged, ...then.values()].filter((item) => {
      const key = item && indexKey(item, query.index);
      return key?.pk === query.pk && inRange(key.sk, query);
    }) as Item[];
    const direction = query.reverse ? -1 : 1;
    const order = (a: Position, b: Position) => direction * byPosition(a, b);
    return items
      .map((item) => ({ item, position: positionOf(item, query.index) }))
      .filter(({ position }) => !start || order(position, start) > 0)
      .sort((a, b) => order(a.position, b.position))
      .map(({ item }) => item);
  }
}

function byPosition(a: Position, b: Position): number {
  return (
    byteOrder(a.index?.sk ?? "", b.index?.sk ?? "") ||
    byteOrder(a.table.pk, b.table.pk) ||
    byteOrder(a.table.sk, b.table.sk)
  );
}
