import { isDeepStrictEqual } from "node:util";
import type { Store } from "../../../kernel/store/store.ts";
import type { NumberDrift, NumberPool } from "../ipam.ts";
import type { Books } from "../netbox/books.ts";
import type { NetboxObject } from "../netbox/shelf.ts";
import { elsewhere, heldNumbers, type NumberState, stateOf } from "./state.ts";
import { unwrittenIn } from "./unwritten.ts";

/**
 * What NetBox shows otherwise than our own table has it. Nothing of it is mended here: a person did it, and
 * may know why. What a crash has cut off is no drift (`unwritten.ts` knows it).
 */
export async function driftOf(
  store: Store,
  books: Books,
  pool: NumberPool,
): Promise<NumberDrift[]> {
  const objects = new Map<number, NetboxObject[]>();
  for (const object of await books.everything()) {
    const number = books.numberOf(object);
    if (number !== undefined) objects.set(number, [...(objects.get(number) ?? []), object]);
  }
  const states = await heldNumbers(store, pool);
  const numbers = new Set([...states.keys(), ...objects.keys()]);
  const drift: NumberDrift[] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const state = states.get(number) ?? { use: "none" };
    if (saidOf(books, state, objects.get(number) ?? []) === undefined) continue;
    const message = await confirmed(store, books, pool, number);
    if (message !== undefined) drift.push({ number, message });
  }
  return drift;
}

/** Looks at one number once more: it may have been claimed or released between the two readings. */
async function confirmed(
  store: Store,
  books: Books,
  pool: NumberPool,
  number: number,
): Promise<string | undefined> {
  const before = await stateOf(store, pool, number);
  const there = await books.at(number);
  const isUnderWay = (await unwrittenIn(store, pool, number)).length > 0;
  const isSame = isDeepStrictEqual(before, await stateOf(store, pool, number));
  return isUnderWay || !isSame ? undefined : saidOf(books, before, there);
}

/** Undefined where NetBox shows what is so. */
function saidOf(books: Books, state: NumberState, there: NetboxObject[]): string | undefined {
  const entries = there.flatMap((object) => books.entryOf(object) ?? []);
  const others = there.length - entries.length;
  if (state.use === "none") {
    const shown = entries.find(({ use }) => use !== "resting");
    return shown && `NetBox shows it for ${shown.holder || "nobody"}, and nobody has it`;
  }
  const { use, holder } = state;
  if (use === "foreign" && holder === elsewhere)
    return there.length > 0 ? "NetBox has it for something else, so nobody gets it" : undefined;
  const has = use === "held" ? `${holder} has it` : `it is kept for what is left of ${holder}`;
  if (others > 0) return `${has}, and NetBox has it for something else`;
  const [entry, twice] = entries;
  if (!entry) return `${has}, and NetBox does not have it`;
  if (twice) return `${has}, and NetBox has it twice`;
  if (entry.use === "resting") return `${has}, and NetBox shows it at rest`;
  if (entry.use !== use || entry.holder !== holder)
    return `${has}, and NetBox shows it as ${entry.use === "held" ? "active" : "reserved"} for ${entry.holder || "nobody"}`;
  return undefined;
}
