import type { Deps } from "../../../kernel/deps.ts";
import {
  foreignNumberKey,
  foreignNumberPartition,
  numberKey,
  numbersKey,
} from "../../../kernel/object/number-keys.ts";
import { isWritten } from "../../../kernel/store/optimistically.ts";
import { everyItem } from "../../../kernel/store/pages.ts";
import { absent, all, type Check, eq, exists } from "../../../kernel/store/store.ts";
import type { NumberPool } from "../ipam.ts";
import { choosing } from "./chosen-number.ts";
import { resting } from "./counters.ts";
import { journal, type WithJournal } from "./journal.ts";

/**
 * Foreign numbers: an object outside uses them, but no record has them, for example after a table was
 * restored. They are blocked under the object's name, so that nobody else gets them, and rest once the object
 * is gone.
 */

type NumberDeps = Pick<Deps, "store" | "kinds" | "clock" | "log"> & WithJournal;

/** The attempts of a claim among concurrent claims from the same pool. */
const tries = 50;

/**
 * Claims a specific number for a holder. No effect if the number is claimed already, or is outside the pool.
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
    // The member's name `cluster` dates from when only clusters could hold numbers.
    { put: { ...foreignNumberKey(pool.name, number), number, cluster: holder } },
    ...journal(deps, pool, [number], { holder }),
  ];
  for (let n = 0; n < tries; n++) {
    if (await deps.store.get(numberKey(pool.name, number))) return;
    const found = await choosing(deps, pool, number);
    if (found && (await isWritten(deps.store, [...found.writes, ...taken]))) return;
  }
  deps.log.warn({ pool: pool.name, number, holder }, "a number could not be held");
}

/** Puts to rest the blocked foreign numbers whose object outside is gone, if the fence's checks hold. */
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
