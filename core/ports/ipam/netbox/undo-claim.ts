import { type Holder, holderName } from "../../../kernel/claim/holder.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { written } from "../../../kernel/events/rewrite.ts";
import { numberKey, numbersKey } from "../../../kernel/object/number-keys.ts";
import type { Kind } from "../../../kernel/object/object.ts";
import { mustLoad } from "../../../kernel/object/records.ts";
import { optimisticallyFenced } from "../../../kernel/store/optimistically.ts";
import { all, type Check, eq, exists, type Write } from "../../../kernel/store/store.ts";
import type { NumberPool } from "../ipam.ts";
import { resting } from "../own/counters.ts";
import { journal, type WithJournal } from "../own/journal.ts";
import { elsewhereItems } from "./own-numbers.ts";

/**
 * Undoes a claim because somebody else has some of its numbers in NetBox: these are blocked, so that nobody
 * gets them; the others are free at once, because they were never used.
 */
export async function undoClaim<K extends Kind>(
  deps: Pick<Deps, "store" | "kinds" | "clock"> & WithJournal,
  pool: NumberPool,
  holder: Holder<K>,
  taken: ReadonlySet<number>,
  fence: Check[],
): Promise<void> {
  await optimisticallyFenced(deps.store, fence, async () => {
    const record = await mustLoad(deps, holder.kind, holder.id);
    const now = deps.clock.now();
    const held = holder.held(record);
    if (!held.some((number) => taken.has(number))) return { writes: [], result: undefined };
    const free = held.filter((number) => !taken.has(number));
    const isHolders = all(exists, eq("owner", holder.id));
    const writes: Write[] = [
      ...written(deps, record, holder.release(record)).writes,
      ...held.flatMap((number): Write[] => {
        if (!taken.has(number))
          return [
            { delete: numberKey(pool.name, number), if: isHolders },
            { put: resting(pool, now, number) },
          ];
        const [owned, foreign] = elsewhereItems(pool, number);
        return [{ put: owned, if: isHolders }, { put: foreign }];
      }),
      {
        update: numbersKey(pool.name),
        add: { used: -free.length, resting: free.length },
        if: exists,
      },
      ...journal(deps, pool, free, { holder: holderName(holder), until: now }),
    ];
    return { writes, result: undefined };
  });
}
