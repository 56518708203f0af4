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
import type { WithJournal } from "../own/journal.ts";
import { ownIpam } from "../own/own.ts";
import type { NetboxIpamOptions } from "./allocates.ts";
import { driftOf } from "./drift.ts";
import { type MirrorConditions, mirrorNumber } from "./mirror-number.ts";
import { elsewhere, type NumberState } from "./number-state.ts";
import { objectTypeOf } from "./object-type.ts";
import { ownNumbers, stateOf } from "./own-numbers.ts";
import {
  clearPending,
  notePending,
  type PendingUpdate,
  pendingUpdatesIn,
} from "./pending-updates.ts";
import { PoolObjects } from "./pool-objects.ts";
import { undoClaim } from "./undo-claim.ts";

/** The limit of attempts of a claim whose numbers others have in NetBox. */
const tries = 20;

/** A number to mirror, with its state in our own table, and whether somebody else has it in NetBox. */
interface Mirrored {
  number: number;
  state: NumberState;
  isTaken: boolean;
}

/**
 * Slipway's own table allocates the numbers, and NetBox mirrors them for people: a claim answers
 * only once NetBox shows its numbers. Each change of a number also writes a pending update
 * (`pending-updates.ts`). After a crash, a repeated call or the hourly check completes the change.
 * Objects that others have written in NetBox are never changed.
 */
export class NetboxMirrors implements Ipam {
  readonly #deps: Pick<Deps, "store" | "kinds" | "clock" | "log"> & WithJournal;
  readonly #options: NetboxIpamOptions;
  readonly #own: Ipam;

  constructor(deps: Pick<Deps, "store" | "kinds" | "clock" | "log">, options: NetboxIpamOptions) {
    this.#deps = { ...deps, journal: notePending };
    this.#options = options;
    this.#own = ownIpam(this.#deps);
  }

  async claim<K extends Kind>(pool: NumberPool, holder: Holder<K>, wanted: Wanted): Promise<Claim> {
    const { fence } = wanted;
    for (let n = 0; n < tries; n++) {
      const claim = await this.#own.claim(pool, holder, wanted);
      const mirrored = await this.#mirror(pool, fence, ofHolder(holder));
      if ("short" in claim) return claim;
      const taken = mirrored.flatMap(({ number, isTaken }) => (isTaken ? number : []));
      if (!claim.claimed.some((number) => taken.includes(number))) return claim;
      await undoClaim(this.#deps, pool, holder, new Set(taken), fence);
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
    const mirrored = await this.#mirror(pool, conditions.fence ?? [], ofHolder(holder));
    // Includes numbers whose release an earlier call has begun.
    const ended = mirrored.flatMap(({ state, number }) => (state.use === "held" ? [] : [number]));
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
    await this.#mirror(pool, [], () => true);
    await this.#objects(pool).endRests();
  }

  drift(pool: NumberPool): Promise<NumberDrift[]> {
    return driftOf(ownNumbers(this.#deps.store, pool), this.#objects(pool));
  }

  /** The numbers that are blocked because somebody else has them in NetBox, if that is still so. */
  async #elsewhere(pool: NumberPool): Promise<Map<number, string>> {
    const objects = this.#objects(pool);
    const items = await everyItem(this.#deps.store, { pk: foreignNumberPartition(pool.name) });
    const found = new Map<number, string>();
    for (const { number, cluster } of items) {
      if (cluster !== elsewhere) continue;
      const there = await objects.withNumber(Number(number));
      if (there.length > 0) found.set(Number(number), elsewhere);
    }
    return found;
  }

  /** Applies the pending updates to NetBox. The fence is checked before each number. */
  async #mirror(
    pool: NumberPool,
    fence: Check[],
    isMeant: (pending: PendingUpdate) => boolean,
  ): Promise<Mirrored[]> {
    const pending = await pendingUpdatesIn(this.#deps.store, pool);
    const numbers = new Set(pending.filter(isMeant).map(({ number }) => number));
    const mirrored: Mirrored[] = [];
    for (const number of numbers) mirrored.push(await this.#mirrorOne(pool, number, fence));
    return mirrored;
  }

  /**
   * Repeats until our own table has not changed meanwhile: then the last write to NetBox is correct. The
   * pending update of a number that somebody else has stays as long as a record has the number too.
   */
  async #mirrorOne(pool: NumberPool, number: number, fence: Check[]): Promise<Mirrored> {
    const { store } = this.#deps;
    for (;;) {
      const pending = await pendingUpdatesIn(store, pool, number);
      const state = await stateOf(store, pool, number);
      if (pending.length === 0) return { number, state, isTaken: false };
      const isTaken = await this.#show(pool, number, state, {
        pending,
        mayWrite: () => mustHold(store, fence),
      });
      if (isTaken && state.use === "held") return { number, state, isTaken };
      if (await isWritten(store, pending.map(clearPending))) return { number, state, isTaken };
    }
  }

  /** Answers whether somebody else has the number in NetBox. */
  async #show(
    pool: NumberPool,
    number: number,
    state: NumberState,
    { pending, mayWrite }: Pick<MirrorConditions, "mayWrite"> & { pending: PendingUpdate[] },
  ): Promise<boolean> {
    if (state.use === "elsewhere") return true;
    const ends = pending.flatMap(({ until }) => until ?? []);
    const shown =
      state.use === "none"
        ? ({ use: "resting", until: Math.max(this.#deps.clock.now(), ...ends) } as const)
        : { use: state.use, holder: state.holder };
    const names = new Set(pending.map(({ holder }) => holder));
    return (
      (await mirrorNumber(this.#objects(pool), number, shown, { names, mayWrite })) !== undefined
    );
  }

  #objects(pool: NumberPool): PoolObjects {
    const { api, placeOf } = this.#options;
    const { store, clock } = this.#deps;
    return new PoolObjects({
      ...{ api, clock, pool, type: objectTypeOf(placeOf(pool)) },
      stateOf: (number) => stateOf(store, pool, number),
    });
  }
}

const ofHolder =
  (holder: { kind: string; id: string }) =>
  (pending: PendingUpdate): boolean =>
    pending.holder === holderName(holder);
