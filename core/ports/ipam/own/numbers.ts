import { isDeepStrictEqual } from "node:util";
import { timestamp } from "../../../clock.ts";
import { AppError } from "../../../error.ts";
import { type Holder, holderName } from "../../../kernel/claim/holder.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { written } from "../../../kernel/events/rewrite.ts";
import { numberKey, numbersKey, restingPartition } from "../../../kernel/object/number-keys.ts";
import type { Kind } from "../../../kernel/object/object.ts";
import { mustLoad } from "../../../kernel/object/records.ts";
import { optimisticallyFenced, type Patience } from "../../../kernel/store/optimistically.ts";
import {
  absent,
  all,
  eq,
  exists,
  type Item,
  type Page,
  type Write,
  type WriteCondition,
} from "../../../kernel/store/store.ts";
import type { Claim, NumberPool, ReleaseConditions, Usage, Wanted } from "../ipam.ts";
import { counters, resting } from "./counters.ts";
import { journal, type WithJournal } from "./journal.ts";

/**
 * Pools of numbers in Slipway's own table. The cost of a claim does not depend on the pool's size: unused
 * numbers come from a watermark; released numbers rest first and are then claimed in the order in which their
 * rests end. Each claimed number has an item with its owner, and the owner's record changes in the same
 * transaction: a number has exactly one owner, or rests, or is free.
 */

type NumberDeps = Pick<Deps, "store" | "kinds" | "clock"> & WithJournal;

/** How long a claim is retried among concurrent claims from the same pool. */
export const patienceWith = ({ name }: NumberPool): Patience => ({
  retries: 49,
  exhausted: (cause) =>
    new AppError("Unavailable", `too many others use pool ${name}; it is tried again`, { cause }),
});

/** Claims numbers for a holder. Throws Cancelled when a check of the fence fails. */
export function claimNumbers<K extends Kind>(
  deps: NumberDeps,
  pool: NumberPool,
  holder: Holder<K>,
  { count, fence, isCurrent, writes = [] }: Wanted,
): Promise<Claim> {
  return optimisticallyFenced<Claim>(
    deps.store,
    fence,
    async () => {
      const record = await mustLoad(deps, holder.kind, holder.id);
      const held = holder.held(record);
      if (held.length > 0) return { writes: [], result: { claimed: held } };
      const offer = await offerOf(deps, pool, count);
      if ("short" in offer) return { writes: [], result: offer };
      if (offer.isFirst && isCurrent && !(await isCurrent()))
        throw new AppError("Unavailable", `pool ${pool.name} was changed; it is tried again`);
      const { numbers } = offer;
      const holding = written(deps, record, holder.hold(record, numbers)).writes;
      return {
        writes: [...holding, ...taking(deps, pool, holder, offer), ...writes],
        result: { claimed: numbers },
      };
    },
    patienceWith(pool),
  );
}

/** The holder of a number, as in the number's item. */
type Owner = Pick<Holder<Kind>, "kind" | "id">;

/**
 * How long an order is retried that claims numbers in its transaction: all orders from a pool write its
 * watermark.
 */
export const manyAtOnce: Patience = {
  retries: 99,
  exhausted: (cause) =>
    new AppError("Unavailable", "too many others order the same at this moment; try again", {
      cause,
    }),
};

/**
 * Numbers for a new holder, with the writes that claim them, for the transaction that writes its record.
 * `isFirst`: the pool's first allocation, so its definition may still change.
 */
export async function claimWith(
  deps: NumberDeps,
  pool: NumberPool,
  holder: Owner,
  count: number,
): Promise<Offer> {
  const offer = await offerOf(deps, pool, count);
  return "short" in offer ? offer : { ...offer, writes: taking(deps, pool, holder, offer) };
}

/**
 * `claimWith` for several new holders in one transaction, one number for each, in their order. `read`: the
 * result of `readNumbers` for this many, if the caller has it.
 */
export async function claimForEach(
  deps: NumberDeps,
  pool: NumberPool,
  holders: readonly Owner[],
  read?: NumbersRead,
): Promise<Offer> {
  const offer = await offerOf(deps, pool, holders.length, read);
  if ("short" in offer) return offer;
  const given = holders.flatMap((holder, n) =>
    giving(deps, pool, holder, offer.numbers.slice(n, n + 1)),
  );
  return { ...offer, writes: [...given, ...offer.writes] };
}

const taking = (
  deps: NumberDeps,
  pool: NumberPool,
  holder: Owner,
  { numbers, writes }: Exclude<Offer, { short: Usage }>,
): Write[] => [...giving(deps, pool, holder, numbers), ...writes];

const giving = (
  deps: NumberDeps,
  pool: NumberPool,
  holder: Owner,
  numbers: readonly number[],
): Write[] => [
  ...numbers.map((number) => ({
    put: { ...numberKey(pool.name, number), owner: holder.id, kind: holder.kind },
    if: absent,
  })),
  ...journal(deps, pool, numbers, { holder: holderName(holder) }),
];

/** Numbers that can be claimed, or the pool's usage if too few are free. */
export type Offer =
  | { numbers: number[]; writes: Write[]; isFirst: boolean }
  | Extract<Claim, { short: Usage }>;

/** The free numbers of a pool, as they were read. */
export interface NumbersRead {
  state: Item | undefined;
  resting: Page;
  usage: Usage;
}

/**
 * Reads the free numbers of a pool, at least this many if there are. A claim fails if they have changed
 * since.
 */
export async function readNumbers(
  { store }: Pick<NumberDeps, "store">,
  { name, size }: NumberPool,
  count: number,
): Promise<NumbersRead> {
  const [state, resting] = await Promise.all([
    store.get(numbersKey(name)),
    store.query({ pk: restingPartition(name), limit: count }),
  ]);
  const { used, resting: rests } = counters(state);
  return { state, resting, usage: { used, resting: rests, size } };
}

/** The next numbers to claim, with the writes that remove them from the free ones. */
async function offerOf(
  deps: NumberDeps,
  pool: NumberPool,
  count: number,
  read?: NumbersRead,
): Promise<Offer> {
  const key = numbersKey(pool.name);
  const { state, resting } = read ?? (await readNumbers(deps, pool, count));
  const now = `${timestamp(deps.clock.now())}#~`;
  const usage = counters(state);
  const fresh = Math.min(count, Math.max(0, pool.size - usage.next));
  const rested = resting.items.filter(({ sk }) => sk <= now).slice(0, count - fresh);
  if (fresh + rested.length < count) {
    const end = resting.items[count - fresh - 1]?.sk.split("#")[0];
    const next = end === undefined ? undefined : Date.parse(end);
    return { short: { used: usage.used, resting: usage.resting, size: pool.size }, next };
  }
  const moved = { used: count, next: fresh, resting: -rested.length };
  const numbers = [
    ...Array.from({ length: fresh }, (_, n) => pool.first + usage.next + n),
    ...rested.map(({ number }) => Number(number)),
  ];
  return {
    // A number is in both lists when it was released and claimed between the two reads; the watermark
    // refuses that claim.
    numbers: [...new Set(numbers)],
    isFirst: usage.next === 0,
    writes: [
      state
        ? { update: key, add: moved, if: asIn(state, usage.next) }
        : { put: { ...key, ...moved }, if: absent },
      ...rested.map(({ pk, sk }) => ({ delete: { pk, sk }, if: exists })),
    ],
  };
}

/** Conditions: the watermark is as it was read, and before the first claim the pool's definition too. */
const asIn = (state: Item, next: number): WriteCondition =>
  next === 0 && typeof state.redefined === "number"
    ? all(eq("next", 0), eq("redefined", state.redefined))
    : eq("next", next);

/** Releases a holder's numbers under these conditions. Safe to repeat. */
export function releaseNumbers<K extends Kind>(
  deps: NumberDeps,
  pool: NumberPool,
  holder: Holder<K>,
  { fence = [], seen }: ReleaseConditions = {},
): Promise<number[]> {
  return optimisticallyFenced(
    deps.store,
    fence,
    async () => {
      const record = await mustLoad(deps, holder.kind, holder.id);
      const numbers = holder.held(record);
      const isSeen = seen === undefined || isDeepStrictEqual(numbers, [...seen]);
      if (numbers.length === 0 || !isSeen) return { writes: [], result: [] };
      const writes: Write[] = [
        ...written(deps, record, holder.release(record)).writes,
        ...releaseWith(deps, pool, holder, numbers),
      ];
      return { writes, result: numbers };
    },
    patienceWith(pool),
  );
}

/** The writes that release numbers, for the transaction that writes or deletes their holder's record. */
export function releaseWith(
  deps: Pick<NumberDeps, "clock"> & WithJournal,
  pool: NumberPool,
  holder: Owner,
  numbers: readonly number[],
): Write[] {
  const until = deps.clock.now() + pool.rest;
  return [
    ...numbers.flatMap((number): Write[] => [
      { delete: numberKey(pool.name, number), if: all(exists, eq("owner", holder.id)) },
      { put: resting(pool, until, number) },
    ]),
    ...journal(deps, pool, numbers, { holder: holderName(holder), until }),
    {
      update: numbersKey(pool.name),
      add: { used: -numbers.length, resting: numbers.length },
      if: exists,
    },
  ];
}

/** The usage of a pool. */
export async function usageOf(deps: Pick<Deps, "store">, pool: NumberPool): Promise<Usage> {
  const { used, resting } = counters(await deps.store.get(numbersKey(pool.name)));
  return { used, resting, size: pool.size };
}
