import { seed } from "../seed.ts";
import { type Combination, howName, titleOf } from "./derive.ts";

/**
 * Which cases of the matrix run. `npm run matrix` runs them all. `npm run test:worlds` takes a sample: each state of
 * each saga once, and each change of a saga, each way and each request at least once. It is the same in each run;
 * another `SEED` takes another.
 */

/** The cases of a sample; `number` says which. */
export function sampleOf(all: readonly Combination[], number: number): Set<Combination> {
  const possible = all.filter(({ impossible }) => impossible === undefined);
  const chosen = new Set<Combination>();
  const met = new Map<string, number>();
  const take = (combination: Combination | undefined): void => {
    if (!combination) return;
    chosen.add(combination);
    const how = howName(combination.how);
    met.set(how, (met.get(how) ?? 0) + 1);
  };
  /** Of those that are met least so far, one by the number. */
  const next = (some: Combination[]): Combination | undefined => {
    const timesOf = ({ how }: Combination) => met.get(howName(how)) ?? 0;
    const least = Math.min(...some.map(timesOf));
    const rarest = some.filter((each) => timesOf(each) === least);
    return rarest.toSorted((a, b) => rankOf(a, number) - rankOf(b, number))[0];
  };
  const short = possible.filter(({ isLong }) => !isLong);
  for (const ofSaga of Map.groupBy(short, ({ saga }) => saga).values()) {
    const changes = changesOf(ofSaga);
    const ofStates = [...Map.groupBy(ofSaga, ({ state }) => state.name).values()];
    ofStates.forEach((ofState, place) => {
      const change = changes[(number + place) % changes.length];
      const here = ofState.filter((each) => each.change === change);
      take(next(here.length > 0 ? here : ofState));
    });
    for (const change of changes) {
      const ofChange = ofSaga.filter((each) => each.change === change);
      if (!ofChange.some((each) => chosen.has(each))) take(next(ofChange));
    }
  }
  for (const alike of Map.groupBy(possible, ({ how }) => howName(how)).values()) {
    if (alike.some((each) => chosen.has(each))) continue;
    const cheap = alike.filter(({ saga }) => saga.startsWith("toy"));
    take(next(cheap.length > 0 ? cheap : alike));
  }
  return chosen;
}

/** The changes of a saga of which each is met; those that take far longer only where there are no others. */
function changesOf(ofSaga: Combination[]): string[] {
  const small = ofSaga.filter(({ isLarge }) => !isLarge);
  return [...new Set((small.length > 0 ? small : ofSaga).map(({ change }) => change))];
}

const rankOf = (combination: Combination, number: number): number =>
  rank(`${number} ${combination.saga} ${titleOf(combination)}`);

/** A number that looks drawn, and is the same for a text each time (FNV-1a). */
function rank(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}

/** The one of these cases that a sample has; it is the same for a name each time. */
export function oneOf<Case>(name: string, cases: readonly Case[]): Case[] {
  const place = (seed + rank(name)) % Math.max(1, cases.length);
  return cases.slice(place, place + 1);
}
