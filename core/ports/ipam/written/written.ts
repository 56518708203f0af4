import { AppError } from "../../../error.ts";
import { type Holder, holderName } from "../../../kernel/claim/holder.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { foreignNumberPartition } from "../../../kernel/object/number-keys.ts";
import type { Kind } from "../../../kernel/object/object.ts";
import { isWritten, mustHold } from "../../../kernel/store/optimistically.ts";
import { everyItem } from "../../../kernel/store/pages.ts";
import type { Check, Write } from "../../../kernel/store/store.ts";
import type {
  Claim,
  Ipam,
  NumberDrift,
  NumberPool,
  ReleaseConditions,
  Survey,
  Usage,
  Wanted,
} from "../ipam.ts";
import { Books } from "../netbox/books.ts";
import { driftOf } from "../netbox/drift.ts";
import type { NetboxIpamOptions } from "../netbox/netbox.ts";
import { elsewhere, type NumberState } from "../netbox/number-state.ts";
import { shelfOf } from "../netbox/shelf.ts";
import type { Journaled } from "../own/journal.ts";
import { ownIpam } from "../own/own.ts";
import { giveBack } from "./give-back.ts";
import { show, type Telling } from "./show.ts";
import { knownFrom, stateOf } from "./state.ts";
import { noteUnwritten, noteWritten, type Unwritten, unwrittenIn } from "./unwritten.ts";

/** How many claims are tried that meet numbers of others in NetBox. */
const tries = 20;

/** A number that was to be shown, as it is in our own table, and whether somebody else has it in NetBox. */
interface Told {
  number: number;
  state: NumberState;
  isTaken: boolean;
}

/**
 * Slipway's own table gives out the numbers, and NetBox is the book that people read: a claim answers only
 * once NetBox shows its numbers. With each change of a number goes a note that NetBox is to be told of it
 * (`unwritten.ts`), so a repeated call, or the hourly look, finishes what a crash has cut off. What others
 * have written in NetBox is never changed.
 */
export class WrittenIpam implements Ipam {
  readonly #deps: Pick<Deps, "store" | "kinds" | "clock" | "log"> & Journaled;
  readonly #options: NetboxIpamOptions;
  readonly #own: Ipam;

  constructor(deps: Pick<Deps, "store" | "kinds" | "clock" | "log">, options: NetboxIpamOptions) {
    this.#deps = { ...deps, journal: noteUnwritten };
    this.#options = options;
    this.#own = ownIpam(this.#deps);
  }

  async claim<K extends Kind>(pool: NumberPool, holder: Holder<K>, wanted: Wanted): Promise<Claim> {
    const { fence } = wanted;
    for (let n = 0; n < tries; n++) {
      const claim = await this.#own.claim(pool, holder, wanted);
      const told = await this.#tell(pool, fence, ofHolder(holder));
      if ("short" in claim) return claim;
      const taken = told.flatMap(({ number, isTaken }) => (isTaken ? number : []));
      if (!claim.claimed.some((number) => taken.includes(number))) return claim;
      await giveBack(this.#deps, pool, holder, new Set(taken), fence);
    }
    const message = `NetBox has too many numbers of pool ${pool.name} for others; it is tried again`;
    throw new AppError("Unavailable", message);
  }

  async release<K extends Kind>(
    pool: NumberPool,
    holder: Holder<K>,
    conditions: ReleaseConditions = {},
  ): Promise<number[]> {
    const released = await this.#own.release(pool, holder, conditions);
    const told = await this.#tell(pool, conditions.fence ?? [], ofHolder(holder));
    // Those too whose release an earlier call has begun.
    const ended = told.flatMap(({ state, number }) => (state.use === "held" ? [] : [number]));
    return [...new Set([...released, ...ended])];
  }

  usage(pool: NumberPool): Promise<Usage> {
    return this.#own.usage(pool);
  }

  survey(pool: NumberPool): Promise<Survey> {
    return this.#own.survey(pool);
  }

  wasUsed(pool: NumberPool): Promise<boolean> {
    return this.#own.wasUsed(pool);
  }

  redefine(pool: NumberPool): Promise<Write[]> {
    return this.#own.redefine(pool);
  }

  async hold(
    pool: NumberPool,
    foreign: ReadonlyMap<number, string>,
    fence: Check[] = [],
  ): Promise<void> {
    const theirs = await this.#elsewhere(pool);
    await this.#own.hold(pool, new Map([...theirs, ...foreign]), fence);
    await this.#tell(pool, [], () => true);
    await this.#books(pool).endRests();
  }

  drift(pool: NumberPool): Promise<NumberDrift[]> {
    return driftOf(knownFrom(this.#deps.store, pool), this.#books(pool));
  }

  /** The numbers that are held because somebody else has them in NetBox, as far as that is so still. */
  async #elsewhere(pool: NumberPool): Promise<Map<number, string>> {
    const books = this.#books(pool);
    const items = await everyItem(this.#deps.store, { pk: foreignNumberPartition(pool.name) });
    const found = new Map<number, string>();
    for (const { number, cluster } of items) {
      if (cluster !== elsewhere) continue;
      const there = await books.at(Number(number));
      if (there.length > 0) found.set(Number(number), elsewhere);
    }
    return found;
  }

  /** Has NetBox show what it may not show yet. The fence is asked before each number. */
  async #tell(
    pool: NumberPool,
    fence: Check[],
    isMeant: (unwritten: Unwritten) => boolean,
  ): Promise<Told[]> {
    const unwritten = await unwrittenIn(this.#deps.store, pool);
    const numbers = new Set(unwritten.filter(isMeant).map(({ number }) => number));
    const told: Told[] = [];
    for (const number of numbers) told.push(await this.#tellOf(pool, number, fence));
    return told;
  }

  /**
   * Goes on until our own table has not changed meanwhile: then the last who wrote into NetBox wrote what is
   * so. A note whose number somebody else has stays, as long as a record has the number too.
   */
  async #tellOf(pool: NumberPool, number: number, fence: Check[]): Promise<Told> {
    const { store } = this.#deps;
    for (;;) {
      const unwritten = await unwrittenIn(store, pool, number);
      const state = await stateOf(store, pool, number);
      if (unwritten.length === 0) return { number, state, isTaken: false };
      const isTaken = await this.#show(pool, number, state, {
        unwritten,
        mayWrite: () => mustHold(store, fence),
      });
      if (isTaken && state.use === "held") return { number, state, isTaken };
      if (await isWritten(store, unwritten.map(noteWritten))) return { number, state, isTaken };
    }
  }

  /** Answers whether somebody else has the number. */
  async #show(
    pool: NumberPool,
    number: number,
    state: NumberState,
    { unwritten, mayWrite }: Pick<Telling, "mayWrite"> & { unwritten: Unwritten[] },
  ): Promise<boolean> {
    if (state.use === "elsewhere") return true;
    const ends = unwritten.flatMap(({ until }) => until ?? []);
    const shown =
      state.use === "none"
        ? ({ use: "resting", until: Math.max(this.#deps.clock.now(), ...ends) } as const)
        : { use: state.use, holder: state.holder };
    const names = new Set(unwritten.map(({ holder }) => holder));
    return (await show(this.#books(pool), number, shown, { names, mayWrite })) !== undefined;
  }

  #books(pool: NumberPool): Books {
    const { api, placeOf } = this.#options;
    const { store, clock } = this.#deps;
    return new Books({
      ...{ api, clock, pool, shelf: shelfOf(placeOf(pool)) },
      stateOf: (number) => stateOf(store, pool, number),
    });
  }
}

const ofHolder =
  (holder: { kind: string; id: string }) =>
  (unwritten: Unwritten): boolean =>
    unwritten.holder === holderName(holder);
