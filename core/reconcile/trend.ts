import { days, timestamp } from "../clock.ts";
import type { Deps } from "../kernel/deps.ts";
import { trendKey, trendPartition, trendsNotedKey } from "../kernel/object/keys.ts";
import { everyItem } from "../kernel/store/pages.ts";
import type { Item, Store } from "../kernel/store/store.ts";

/**
 * How fast what can run out is used up: once a day its use is written down, and kept for a week. A use
 * is a count under a name of its own.
 */

/** How long a use is remembered, in days. */
const remembered = 7;

/** What is younger tells of an hour and not of a day. */
const leastAge = days(0.8);

type Sample = {
  /** Milliseconds since the epoch. */
  at: number;
  used: number;
};

/** The samples by name, oldest first. */
export type Trends = ReadonlyMap<string, readonly Sample[]>;

type TrendDeps = Pick<Deps, "store" | "clock">;

/** Writes today's uses down, unless it has been done. Most calls are one read. */
export async function noteUses(
  { store, clock }: TrendDeps,
  read: () => Promise<ReadonlyMap<string, number>>,
): Promise<void> {
  const now = clock.now();
  const today = timestamp(now).slice(0, 10);
  const noted = await store.get(trendsNotedKey);
  if (noted?.day === today) return;
  const [trends, uses] = await Promise.all([trendsIn(store), read()]);
  const expires = Math.ceil((now + days(remembered + 1)) / 1000);
  const writes = [...uses].map(([name, used]) => {
    const samples = [...recent(trends.get(name), now), { at: now, used }];
    return { put: { ...trendKey(name), samples, expires } };
  });
  // Each is whole in itself; what a crash leaves out, the next call writes.
  for (const write of writes) await store.transact([write]);
  await store.transact([{ put: { ...trendsNotedKey, day: today } }]);
}

export async function trendsIn(store: Store): Promise<Trends> {
  const items = await everyItem(store, { pk: trendPartition });
  return new Map(items.map((item) => [item.sk, samplesIn(item)]));
}

/** Only this module writes such items, so the cast is safe. */
const samplesIn = ({ samples }: Item): Sample[] => samples as Sample[];

const recent = (samples: readonly Sample[] = [], now: number): Sample[] =>
  samples.filter(({ at }) => at > now - days(remembered + 0.5));

/**
 * How much more is used than a day before, on average of the last week, in tenths; negative where use
 * shrinks. Undefined before a day of it is known. `now` in milliseconds.
 */
export function perDay(
  samples: readonly Sample[] | undefined,
  used: number,
  now: number,
): number | undefined {
  const [oldest] = recent(samples, now);
  if (!oldest || now - oldest.at < leastAge) return undefined;
  return Math.round((10 * (used - oldest.used) * days(1)) / (now - oldest.at)) / 10;
}
