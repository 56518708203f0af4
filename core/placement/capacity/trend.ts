import * as z from "zod";
import { days, timestamp } from "../../clock.ts";
import type { Deps } from "../../kernel/deps.ts";
import { hubTrendKey, trendKey, trendsNotedKey } from "../../kernel/object/keys.ts";
import type { Item, Key, Store } from "../../kernel/store/store.ts";

/**
 * The trends of limited resources: once a day the use of each is recorded, and stored for a week. A use is a count under
 * its own key: of all hubs of a region, of a site's pool, or of one hub.
 */

/** How long a recorded use is kept, in days. */
const remembered = 7;

/** A more recent sample would show the change of hours instead of a day. */
const leastAge = days(0.8);

type Sample = {
  /** Milliseconds since the epoch. */
  at: number;
  used: number;
};

/** The present count of a use. */
export interface Use {
  key: Key;
  used: number;
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

/** The use of a hub's control planes, or of its hosts of a type. */
export const hubUseKey = (hub: string, hostType = ""): Key => hubTrendKey(hub, hostType);

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
  const writes = uses.map(({ key, used }, n) => {
    const samples = [...recent(samplesIn(known[n]), now), { at: now, used }];
    return { put: { ...key, samples, expires } };
  });
  // Each write is complete in itself, so the next call adds the writes that a crash has prevented.
  for (const write of writes) await store.transact([write]);
  await store.transact([{ put: { ...trendsNotedKey, day: today } }]);
}

/** The trend of each use, in the order of the uses; `free` is the present free amount of each. */
export async function trendsOf(
  { store, clock }: Pick<TrendDeps, "clock"> & { store: Pick<Store, "getMany"> },
  uses: readonly (Use & { free: number })[],
): Promise<Trend[]> {
  const items = await store.getMany(uses.map(({ key }) => key));
  return uses.map(({ used, free }, n) => {
    const per_day = perDay(samplesIn(items[n]), used, clock.now());
    if (per_day === undefined) return {};
    return { per_day, ...(per_day > 0 && { days_left: Math.floor(free / per_day) }) };
  });
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
