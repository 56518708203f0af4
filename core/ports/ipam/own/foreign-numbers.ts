import type { Deps } from "../../../kernel/deps.ts";
import {
  foreignNumberKey,
  foreignNumberPartition,
  numberKey,
  numbersKey,
  restingPartition,
} from "../../../kernel/object/keys.ts";
import { isWritten } from "../../../kernel/store/optimistically.ts";
import { everyItem } from "../../../kernel/store/pages.ts";
import {
  absent,
  all,
  type Check,
  eq,
  exists,
  type Item,
  type Write,
} from "../../../kernel/store/store.ts";
import type { NumberPool } from "../ipam.ts";
import { type Journaled, journal } from "./journal.ts";
import { counters, resting } from "./numbers.ts";

/**
 * Foreign numbers: something outside uses them, but no record knows them, for example after a table was
 * restored. They are held in the name that the thing outside carries, so that nobody else gets them,
 * and they rest when the thing is gone.
 */

type NumberDeps = Pick<Deps, "store" | "kinds" | "clock" | "log"> & Journaled;

/** How often a claim is tried while others claim from the same pool. */
const tries = 50;
/** How many numbers one transaction skips, and leaves free, on the way to a higher number. */
const stride = 80;

/**
 * Claims a specific number for a holder. No effect when the number is claimed already, or is outside
 * the pool.
 */
export async function holdForeign(
  deps: NumberDeps,
  pool: NumberPool,
  number: number,
  holder: string,
): Promise<void> {
  const offset = number - pool.first;
  if (offset < 0 || offset >= pool.size) return;
  const taken = [
    { put: { ...numberKey(pool.name, number), owner: holder }, if: absent },
    // The member is called `cluster` since the time when only clusters could hold numbers.
    { put: { ...foreignNumberKey(pool.name, number), number, cluster: holder } },
    ...journal(deps, pool, [number], { holder }),
  ];
  for (let n = 0; n < tries; n++) {
    if (await deps.store.get(numberKey(pool.name, number))) return;
    const state = await deps.store.get(numbersKey(pool.name));
    const { next } = counters(state);
    if (offset >= next + stride) {
      await isWritten(deps.store, passing(deps, pool, state, next + stride));
      continue;
    }
    const writes =
      offset >= next
        ? [...passing(deps, pool, state, offset, 1), ...taken]
        : await waking(deps, pool, number, taken);
    if (writes && (await isWritten(deps.store, writes))) return;
  }
  deps.log.warn({ pool: pool.name, number, holder }, "a number could not be held");
}

/** Moves the watermark on to this offset, and leaves the skipped numbers free. */
function passing(
  { clock }: NumberDeps,
  pool: NumberPool,
  state: Item | undefined,
  offset: number,
  taken = 0,
): Write[] {
  const key = numbersKey(pool.name);
  const { next } = counters(state);
  const passed = Array.from({ length: offset - next }, (_, n) => pool.first + next + n);
  const moved = { used: taken, next: passed.length + taken, resting: passed.length };
  return [
    state
      ? { update: key, add: moved, if: eq("next", next) }
      : { put: { ...key, ...moved }, if: absent },
    ...passed.map((number) => ({ put: resting(pool, clock.now(), number) })),
  ];
}

/** The item of a number that rests; undefined when the number does not rest (any more). */
async function waking(
  { store }: NumberDeps,
  pool: NumberPool,
  number: number,
  taken: Write[],
): Promise<Write[] | undefined> {
  const items = await everyItem(store, { pk: restingPartition(pool.name) });
  const found = items.find((item) => item.number === number);
  if (!found) return undefined;
  return [
    { delete: { pk: found.pk, sk: found.sk }, if: exists },
    { update: numbersKey(pool.name), add: { used: 1, resting: -1 }, if: exists },
    ...taken,
  ];
}

/** Releases, to rest, the held foreign numbers whose thing outside is gone, while the fence holds. */
export async function releaseForeign(
  deps: NumberDeps,
  pool: NumberPool,
  there: ReadonlySet<number>,
  fence: Check[] = [],
): Promise<void> {
  const { store, clock } = deps;
  for (const item of await everyItem(store, { pk: foreignNumberPartition(pool.name) })) {
    const number = Number(item.number);
    if (there.has(number)) continue;
    const holder = String(item.cluster);
    const isHolders = all(exists, eq("owner", holder));
    const until = clock.now() + pool.rest;
    await isWritten(store, [
      ...fence,
      { delete: foreignNumberKey(pool.name, number), if: exists },
      { delete: numberKey(pool.name, number), if: isHolders },
      { put: resting(pool, until, number) },
      { update: numbersKey(pool.name), add: { used: -1, resting: 1 }, if: exists },
      ...journal(deps, pool, [number], { holder, until }),
    ]);
  }
}
