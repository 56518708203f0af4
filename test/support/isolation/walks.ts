import * as fc from "fast-check";
import { expect } from "vitest";
import { wrongInBooks } from "../books.ts";
import type { Stop } from "../laptop.ts";
import { siteAfter } from "../save-site.ts";
import { tries } from "../seed.ts";
import type { Site } from "../site.ts";
import { Played } from "./turns.ts";
import { type Ground, type Turn, Walk } from "./walk.ts";

/** Random walks, each on a site that goes on from where `bring` brings one. */

interface Start {
  bring(site: Site): Promise<void>;
  ground(): Ground;
  /** What each walk begins with. */
  first?: readonly Turn[];
}

const longest = 20;
/** How many walks are tried to find a shorter one that fails: each takes as long as the first. */
const enough = 40;

const runs = (usually: number): number => Number(process.env.FUZZ_RUNS || usually);

/** How long a test of so many walks may take, in milliseconds. */
export const timeFor = (usually: number): number => Math.max(240_000, runs(usually) * 20_000);

/** Every walk that a seed gives goes well; or just the one that `WALK` has, as a failure prints it. */
export async function expectIsolation(
  start: Start,
  turns: fc.Arbitrary<Turn>,
  usually: number,
): Promise<void> {
  const { WALK: told } = process.env;
  if (told) {
    const given = (JSON.parse(told) as Turn[]).map((turn) => new Played(turn));
    return play(start, given);
  }
  let left = enough;
  let hasFailed = false;
  const walks = fc.commands([turns.map((turn) => new Played(turn))], {
    ...{ maxCommands: longest, size: "max", disableReplayLog: true },
  });
  await fc.assert(
    fc.asyncProperty(walks, async (walk) => {
      if (hasFailed && left-- <= 0) return;
      try {
        await play(start, walk);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }),
    tries(runs(usually)),
  );
}

async function play(
  { bring, ground, first = [] }: Start,
  turns: Iterable<fc.AsyncCommand<object, Walk>>,
): Promise<void> {
  const stops: Stop[] = [];
  try {
    const { site } = await siteAfter(bring, { atEnd: (stop) => stops.unshift(stop) });
    const walk = new Walk(site, ground());
    for (const turn of first) await walk.take(turn);
    await fc.asyncModelRun(() => ({ model: {}, real: walk }), turns);
    await walk.rest();
    expect(await wrongInBooks(site)).toEqual([]);
  } finally {
    for (const stop of stops) await stop();
  }
}

/** Both tenants delete what they have, by collections and names in the order in which it can go. */
export async function expectNothingLeft(
  walk: Walk,
  all: readonly [collection: string, ...names: string[]][],
): Promise<void> {
  for (const [collection, ...names] of all)
    for (const name of names) {
      for (const tenant of ["a", "b"] as const)
        await walk.take({ tenant, does: "delete", collection, name, isHasty: true });
      await walk.rest();
    }
  expect(walk.arrived).toBe(0);
  expect(walk.site.owned()).toEqual([]);
  expect(await wrongInBooks(walk.site)).toEqual([]);
}
