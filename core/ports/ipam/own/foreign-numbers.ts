import type { Deps } from "../../../deps.ts";
import {
  numberKey,
  numbersKey,
  outsideNumberKey,
  outsideNumberPartition,
  restingPartition,
} from "../../../kernel/object/keys.ts";
import { absent, all, eq, exists, type Item, type Write } from "../../../kernel/store/store.ts";
import { counters, type NumberPool, resting, transacted } from "./numbers.ts";

/**
 * Numbers that something outside has whose cluster the store does not know: after a table was restored
 * they look free. They are held for it as if it were an order, so that nobody else gets them, and rest
 * when it is gone.
 */

type NumberDeps = Pick<Deps, "store" | "clock" | "log">;

/** Tries against orders that claim from the same pool. */
const tries = 50;
/** Numbers that one transaction leaves behind, free, on the way to one further on. */
const stride = 80;

/** Claims a specific number for a cluster. No effect if the number is already claimed. */
export async function holdOutside(
  deps: NumberDeps,
  pool: NumberPool,
  number: number,
  cluster: string,
): Promise<void> {
  const offset = number - pool.first;
  if (offset < 0 || offset >= pool.size) return;
  const taken = [
    { put: { ...numberKey(pool.name, number), owner: cluster }, if: absent },
    { put: { ...outsideNumberKey(pool.name, number), number, cluster } },
  ];
  for (let n = 0; n < tries; n++) {
    if (await deps.store.get(numberKey(pool.name, number))) return;
    const state = await deps.store.get(numbersKey(pool.name));
    const { next } = counters(state);
    if (offset >= next + stride) {
      await transacted(deps, [], passing(deps, pool, state, next + stride));
      continue;
    }
    const writes =
      offset >= next
        ? [...passing(deps, pool, state, offset, 1), ...taken]
        : await waking(deps, pool, number, taken);
    if (writes && (await transacted(deps, [], writes))) return;
  }
  deps.log.warn({ pool: pool.name, number, cluster }, "a number could not be held");
}

/** Moves the watermark on to this offset; what it passes is free. The number behind may be taken at once. */
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

/** A number that rests; undefined when it does not (any more). */
async function waking(
  { store }: NumberDeps,
  pool: NumberPool,
  number: number,
  taken: Write[],
): Promise<Write[] | undefined> {
  const found = (await everyItem(store, restingPartition(pool.name))).find(
    (item) => item.number === number,
  );
  if (!found) return undefined;
  return [
    { delete: { pk: found.pk, sk: found.sk }, if: exists },
    { update: numbersKey(pool.name), add: { used: 1, resting: -1 }, if: exists },
    ...taken,
  ];
}

/** Lets those go to rest that are held for something outside which is there no more. */
export async function releaseOutside(
  deps: NumberDeps,
  pool: NumberPool,
  there: ReadonlySet<number>,
): Promise<void> {
  for (const { number: held, cluster } of await everyItem(
    deps.store,
    outsideNumberPartition(pool.name),
  )) {
    const number = Number(held);
    if (there.has(number)) continue;
    await transacted(
      deps,
      [],
      [
        { delete: outsideNumberKey(pool.name, number), if: exists },
        {
          delete: numberKey(pool.name, number),
          if: all(exists, eq("owner", String(cluster))),
        },
        { put: resting(pool, deps.clock.now() + pool.rest, number) },
        { update: numbersKey(pool.name), add: { used: -1, resting: 1 }, if: exists },
      ],
    );
  }
}

async function everyItem(store: Deps["store"], pk: string): Promise<Item[]> {
  const found: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.query({ pk, ...(cursor ? { cursor } : {}) });
    found.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}
