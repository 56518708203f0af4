import { misuse } from "./misuse.ts";
import { isMap, type JsonMap, member, namesOf } from "./path.ts";
import type { Item, Json, Update } from "./store.ts";

/**
 * The item after an update; a new one when there was none. Takes only updates that passed
 * `checkWrites`: their paths do not overlap, so their order does not matter. Throws Internal when the
 * parent of a path is not a map, or `add` meets a value that is not a number.
 */
export function updated(before: Item | undefined, { update, set, remove, add }: Update): Item {
  let item: JsonMap = before ?? { pk: update.pk, sk: update.sk };
  for (const [path, value] of Object.entries(set ?? {})) item = replaced(item, path, value);
  for (const path of remove ?? []) item = replaced(item, path, undefined);
  for (const [name, amount] of Object.entries(add ?? {})) {
    const old = member(item, name) ?? 0;
    if (typeof old !== "number") throw misuse(`cannot add to "${name}": it is not a number`);
    item = { ...item, [name]: old + amount };
  }
  // No path names `pk` or `sk`, so both are still there.
  return item as Item;
}

/** A copy of `map` with the value at `path` set, or removed when it is undefined. */
function replaced(map: JsonMap, path: string, value: Json | undefined): JsonMap {
  const names = namesOf(path);
  const last = names.pop() ?? path;
  const change = (parent: JsonMap): JsonMap => {
    if (value !== undefined) return { ...parent, [last]: value };
    const { [last]: _, ...others } = parent;
    return others;
  };
  const descend = (parent: JsonMap, depth: number): JsonMap => {
    const name = names[depth];
    if (name === undefined) return change(parent);
    const child = member(parent, name);
    if (!isMap(child)) throw misuse(`cannot change "${path}": "${name}" is not a map`);
    return { ...parent, [name]: descend(child, depth + 1) };
  };
  return descend(map, 0);
}
