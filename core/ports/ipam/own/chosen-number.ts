import { type Holder, holderName } from "../../../kernel/claim/holder.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { written } from "../../../kernel/events/rewrite.ts";
import { numberKey, numbersKey, restingPartition } from "../../../kernel/object/number-keys.ts";
import type { Kind } from "../../../kernel/object/object.ts";
import { mustLoad } from "../../../kernel/object/records.ts";
import { isWritten, optimisticallyFenced } from "../../../kernel/store/optimistically.ts";
import { everyItem } from "../../../kernel/store/pages.ts";
import {
  absent,
  type Check,
  eq,
  exists,
  type Item,
  type Write,
} from "../../../kernel/store/store.ts";
import type { NumberPool } from "../ipam.ts";
import { counters, resting } from "./counters.ts";
import { journal, type WithJournal } from "./journal.ts";
import { patienceWith } from "./numbers.ts";

/** Claims of one particular number, where other claims get the next free one. */

type NumberDeps = Pick<Deps, "store" | "kinds" | "clock"> & WithJournal;

/** How many numbers one transaction skips, and leaves free, on the way to a higher number. */
const stride = 80;

/** The result of such a claim; `taken`: the number has a holder, or it rests. */
export type ChosenClaim = { claimed: number[] } | { taken: "in use" | "at rest" };

/**
 * Claims this number of the pool for a holder. A holder that already has numbers of the pool gets the same
 * ones. Throws Cancelled when a check of the fence fails.
 */
export function claimChosen<K extends Kind>(
  deps: NumberDeps,
  pool: NumberPool,
  holder: Holder<K>,
  { number, fence }: { number: number; fence: Check[] },
): Promise<ChosenClaim> {
  const refused = (taken: "in use" | "at rest") => ({ writes: [], result: { taken } });
  return optimisticallyFenced<ChosenClaim>(
    deps.store,
    fence,
    async () => {
      const record = await mustLoad(deps, holder.kind, holder.id);
      const held = holder.held(record);
      if (held.length > 0) return { writes: [], result: { claimed: held } };
      const key = numberKey(pool.name, number);
      if (await deps.store.get(key)) return refused("in use");
      const found = await choosing(deps, pool, number);
      // It has been claimed since.
      if (!found) return refused("in use");
      if (found.until !== undefined && found.until > deps.clock.now()) return refused("at rest");
      return {
        writes: [
          ...written(deps, record, holder.hold(record, [number])).writes,
          { put: { ...key, owner: holder.id, kind: holder.kind }, if: absent },
          ...journal(deps, pool, [number], { holder: holderName(holder) }),
          ...found.writes,
        ],
        result: { claimed: [number] },
      };
    },
    patienceWith(pool),
  );
}

/**
 * The writes that claim a free or resting number, and the end of its rest (ms); undefined if it is neither
 * free nor resting.
 */
export async function choosing(
  deps: Pick<NumberDeps, "store" | "clock">,
  pool: NumberPool,
  number: number,
): Promise<{ writes: Write[]; until?: number } | undefined> {
  const offset = number - pool.first;
  for (;;) {
    const state = await deps.store.get(numbersKey(pool.name));
    const { next } = counters(state);
    if (offset < next) return waking(deps, pool, number);
    if (offset < next + stride) return { writes: passing(deps, pool, state, offset, 1) };
    await isWritten(deps.store, passing(deps, pool, state, next + stride));
  }
}

/** Moves the watermark to this offset, and leaves the skipped numbers free. */
function passing(
  { clock }: Pick<NumberDeps, "clock">,
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

/** Removes a number from its rest; undefined if it does not rest (any more). */
async function waking(
  { store }: Pick<NumberDeps, "store">,
  pool: NumberPool,
  number: number,
): Promise<{ writes: Write[]; until: number } | undefined> {
  const items = await everyItem(store, { pk: restingPartition(pool.name) });
  const found = items.find((item) => item.number === number);
  if (!found) return undefined;
  return {
    until: Date.parse(found.sk.split("#")[0] ?? ""),
    writes: [
      { delete: { pk: found.pk, sk: found.sk }, if: exists },
      { update: numbersKey(pool.name), add: { used: 1, resting: -1 }, if: exists },
    ],
  };
}
