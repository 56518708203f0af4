import { byteOrder } from "./byte-order.ts";
import { indexKey, keyId } from "./check.ts";
import { inRange, type Position, positionOf } from "./cursor.ts";
import type { Index, Item, Key, Query } from "./store.ts";

interface IndexChange {
  key: Key;
  before?: Item;
}

/** For tests: shows index queries the state of some writes ago. An index of DynamoDB can lag like that. */
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

  /** The items that a lagging query sees; `now` is all that the index partition holds now. */
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
