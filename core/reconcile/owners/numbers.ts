import type { SitePart } from "../../at-site/at-site.ts";
import { timestamp, timeText } from "../../clock.ts";
import type { Deps } from "../../kernel/deps.ts";
import {
  allocatedNumberKey,
  numberKey,
  restingPartition,
} from "../../kernel/object/number-keys.ts";
import { everyItem } from "../../kernel/store/pages.ts";
import type { Item } from "../../kernel/store/store.ts";
import type { NumberPool } from "../../ports/ipam/ipam.ts";
import { elsewhere, stateIn } from "../../ports/ipam/netbox/number-state.ts";
import { type Claimant, inWords, type Known, knownOwner, siteRecordOf } from "./owner.ts";
import type { Holding } from "./schema.ts";

/** Finds the holder of a number of a pool by its key, so the cost does not depend on how many numbers there are. */

export type NumberDeps = Pick<Deps, "store" | "kinds" | "clock" | "log">;

/** A number that may be the requested one, and its place. */
export interface NumberCandidate {
  place: Pick<Holding, "kind" | "value" | "site" | "pool" | "network" | "subnet">;
  pool: NumberPool;
  number: number;
  /** The part of a cluster that uses such a number. */
  part?: SitePart;
  /** Whether only NetBox, which allocates the numbers, knows which of them rest. */
  restsInNetbox?: boolean;
  /** Further words about the number, from its owner. */
  role?(known: Known): string | undefined;
}

/** The holder of each of these numbers. */
export async function holdersOf(
  deps: NumberDeps,
  candidates: NumberCandidate[],
): Promise<Holding[]> {
  const items = await deps.store.getMany(
    candidates.flatMap(({ pool, number }) => [
      numberKey(pool.name, number),
      allocatedNumberKey(pool.name, number),
    ]),
  );
  return holdingsBy(
    deps,
    candidates.map((candidate, n) => ({ candidate, item: items[2 * n] ?? items[2 * n + 1] })),
  );
}

/** A number with the item of its claim; undefined for an unclaimed number. */
export interface ClaimedNumber {
  candidate: NumberCandidate;
  item: Item | undefined;
}

/**
 * The holder of each of these numbers, whose claims are already read. The resting numbers of each pool are read once.
 */
export function holdingsBy(deps: NumberDeps, claims: ClaimedNumber[]): Promise<Holding[]> {
  const pools = new Map<string, Promise<Resting>>();
  const restingOf = ({ name }: NumberPool): Promise<Resting> => {
    const found = pools.get(name) ?? restingIn(deps, name);
    pools.set(name, found);
    return found;
  };
  return Promise.all(claims.map((claim) => holdingOf(deps, claim, restingOf)));
}

async function holdingOf(
  deps: NumberDeps,
  { candidate, item }: ClaimedNumber,
  restingOf: (pool: NumberPool) => Promise<Resting>,
): Promise<Holding> {
  const { place, pool, number, part, role, restsInNetbox } = candidate;
  const state = stateIn(item);
  switch (state.use) {
    case "none":
      if (restsInNetbox)
        return { ...place, state: "FREE", message: "free; NetBox knows whether it rests" };
      return { ...place, ...unheld((await restingOf(pool)).get(number)) };
    case "elsewhere":
      return {
        ...place,
        ...{ state: "KEPT", message: `kept: ${elsewhere} has it for something else` },
      };
    case "foreign": {
      const message = `reserved for something at the site whose tag names ${state.holder}, which no record knows`;
      return { ...place, state: "KEPT", message };
    }
    case "held": {
      const known = await knownOwner(deps, claimantIn(state.holder));
      const since = part && sinceOf(known, part);
      const what = role?.(known);
      return {
        ...place,
        state: "HELD",
        message: `held by ${inWords(known.owner)}${what === undefined ? "" : `: ${what}`}`,
        ...(since === undefined ? {} : { since }),
        owner: known.owner,
      };
    }
  }
}

function claimantIn(holder: string): Claimant {
  const at = holder.indexOf("/");
  return { kind: holder.slice(0, at), id: holder.slice(at + 1) };
}

const sinceOf = ({ object }: Known, part: SitePart): string | undefined =>
  siteRecordOf(object)?.parts[part]?.at;

/** The end of each number's rest. */
type Resting = ReadonlyMap<number, string>;

/** The numbers that rest now; there are few, since a rest is short. */
async function restingIn({ store, clock }: NumberDeps, pool: string): Promise<Resting> {
  const from = `${timestamp(clock.now())}#~`;
  const items = await everyItem(store, {
    pk: restingPartition(pool),
    range: { from },
    only: "keys",
  });
  return new Map(
    items.map(({ sk }) => {
      const [until = "", number] = sk.split("#");
      return [Number(number), until];
    }),
  );
}

function unheld(
  resting_until: string | undefined,
): Pick<Holding, "state" | "message" | "resting_until"> {
  if (resting_until === undefined) return { state: "FREE", message: "no object has it" };
  const message = `released; rests until ${timeText(resting_until)}`;
  return { state: "RESTING", message, resting_until };
}
