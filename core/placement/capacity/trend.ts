import * as z from "zod";
import { days, timestamp } from "../../clock.ts";
import type { Deps } from "../../kernel/deps.ts";
import { hubTrendKey, trendKey, trendsNotedKey } from "../../kernel/object/keys.ts";
import type { Item, Key, Store } from "../../kernel/store/store.ts";

/**
 * The trends of limited resources: once a day the use of each is recorded, and stored for a week. A use is a count under
 * its own key: of all hubs of a region, or of a site's pool. All counts of a hub are under one key, which its id gives.
 */

/** How long a recorded use is kept, in days. */
const remembered = 7;

/** A more recent sample would show the change of hours instead of a day. */
const leastAge = days(0.8);

type Sample = {
  /** Milliseconds since the epoch. */
  at: number;
  used: number;
  /** The counts of a hub's hosts, by their type. */
  hosts?: Record<string, number>;
};

/** The present count of a use. */
export interface Use extends Omit<Sample, "at"> {
  key: Key;
}

/** The trend of use, in the form of the wire. */
export const trendSchema = {
  per_day: z
    .number()
    .optional()
    .describe(
      "How much more is used than a day before, on average of the last week; absent before a day of it is known.",
    ),
  days_left: z
    .int()
    .optional()
    .describe("For how many days what is free lasts if that continues; absent unless it shrinks."),
};
export interface Trend {
  per_day?: number;
  days_left?: number;
}

type TrendDeps = Pick<Deps, "clock"> & { store: Pick<Store, "get" | "getMany" | "transact"> };

/** The use of something in a region, at a site or of a pool: of hosts, by their type. */
export const regionUseKey = (resource: string, where = "", hostType = ""): Key =>
  trendKey(JSON.stringify([resource, where, hostType]));

/** The use of a hub's control planes and hosts. */
export const hubUseKey = (hub: string): Key => hubTrendKey(hub);

/** Records today's uses, unless that is done already. Most calls are one read. */
export async function noteUses(
  { store, clock }: TrendDeps,
  read: () => Promise<readonly Use[]>,
): Promise<void> {
  const now = clock.now();
  const today = timestamp(now).slice(0, 10);
  const noted = await store.get(trendsNotedKey);
  if (noted?.day === today) return;
  const uses = await read();
  const known = await store.getMany(uses.map(({ key }) => key));
  const expires = Math.ceil((now + days(remembered + 1)) / 1000);
  const writes = uses.map(({ key, ...counts }, n) => {
    const samples = [...recent(samplesIn(known[n]), now), { at: now, ...counts }];
    return { put: { ...key, samples, expires } };
  });
  // Each write is complete in itself, so the next call adds the writes that a crash has prevented.
  for (const write of writes) await store.transact([write]);
  await store.transact([{ put: { ...trendsNotedKey, day: today } }]);
}

/** Computes the trend of a use from its present amounts; `hostType` for hosts of a hub. */
export type TrendOf = (
  key: Key,
  present: { used: number; free: number },
  hostType?: string,
) => Trend;

/** Reads the trends of these uses. They can be read before the present amounts are known. */
export async function trendsOf(
  { store, clock }: Pick<TrendDeps, "clock"> & { store: Pick<Store, "getMany"> },
  keys: readonly Key[],
): Promise<TrendOf> {
  const named = new Map(keys.map((key) => [key.sk, key]));
  const items = await store.getMany([...named.values()]);
  const samples = new Map([...named.keys()].map((name, n) => [name, samplesIn(items[n])]));
  return ({ sk }, { used, free }, hostType) => {
    const all = samples.get(sk) ?? [];
    const known = hostType === undefined ? all : all.flatMap((sample) => ofHosts(sample, hostType));
    const per_day = perDay(known, used, clock.now());
    if (per_day === undefined) return {};
    return { per_day, ...(per_day > 0 && { days_left: Math.floor(free / per_day) }) };
  };
}

function ofHosts({ at, hosts }: Sample, hostType: string): Sample[] {
  const used = hosts?.[hostType];
  return used === undefined ? [] : [{ at, used }];
}

/** Only this module writes such items, so the cast is safe. */
const samplesIn = (item: Item | undefined): Sample[] => (item?.samples ?? []) as Sample[];

const recent = (samples: readonly Sample[], now: number): Sample[] =>
  samples.filter(({ at }) => at > now - days(remembered + 0.5));

/**
 * The average daily growth of use in the last week, rounded to tenths; negative where use shrinks. Undefined before a
 * day of samples exists. `now` in milliseconds.
 */
export function perDay(samples: readonly Sample[], used: number, now: number): number | undefined {
  const [oldest] = recent(samples, now);
  if (!oldest || now - oldest.at < leastAge) return undefined;
  return Math.round((10 * (used - oldest.used) * days(1)) / (now - oldest.at)) / 10;
}
