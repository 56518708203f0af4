import type { Holder } from "../../kernel/claim/holder.ts";
import type { Kind } from "../../kernel/object/object.ts";
import type { Check, Write } from "../../kernel/store/store.ts";

/**
 * The IPAM port allocates numbers of pools (VLAN ids, prefixes of a range, outside addresses). Each number
 * has one holder, whose record in the store says so. An allocator may be another system, such as NetBox. Then
 * the adapter allocates there in the holder's name before it writes the record, and releases there after it
 * has cleared the record. So a number in a record is never free, and after a crash a repeated call finds the
 * allocation by that name.
 */
export interface Ipam extends PoolDefinition {
  /**
   * Claims numbers for a holder, all or none. A holder that already has numbers of the pool gets the same
   * ones. Throws Cancelled, without any claim, when a check of `fence` fails.
   */
  claim<K extends Kind>(pool: NumberPool, holder: Holder<K>, wanted: Wanted): Promise<Claim>;
  /**
   * Releases a holder's numbers: they rest, then others can claim them. Answers the numbers that this call
   * released. Throws Cancelled, without any release, when a check of `fence` fails.
   */
  release<K extends Kind>(
    pool: NumberPool,
    holder: Holder<K>,
    conditions?: ReleaseConditions,
  ): Promise<number[]>;
  /** The usage of a pool, by one read. */
  usage(pool: NumberPool): Promise<Usage>;
  /** The usage of a pool in detail, by more reads than `usage`. */
  survey(pool: NumberPool): Promise<Survey>;
  /**
   * Blocks exactly these foreign numbers: objects outside use them, and no record has them. Nobody
   * can claim such a number until a later call omits it. A number in a record stays with its
   * holder. The map has, by number, the holder that the object outside names. Unblocks none when a
   * check of `fence` fails, because the map is outdated.
   */
  hold(pool: NumberPool, foreign: ReadonlyMap<number, string>, fence?: Check[]): Promise<void>;
  /**
   * Differences between the other system and Slipway's records; absent where numbers are in one place only.
   * Repairs nothing.
   */
  drift?(pool: NumberPool): Promise<NumberDrift[]>;
}

/**
 * A number that differs between the other system and Slipway's record, and the difference, for
 * people to read.
 */
export interface NumberDrift {
  number: number;
  message: string;
}

/** Whether a pool's definition may change. Slipway's own store answers this for every pool. */
export interface PoolDefinition {
  /**
   * Whether a number of the pool was ever allocated. After the first allocation the pool can only
   * grow.
   */
  wasUsed(pool: NumberPool): Promise<boolean>;
  /**
   * The writes that accompany another definition of a pool that was never used. They fail when a number has
   * been allocated since; a claim in progress then calls `isCurrent`.
   */
  redefine(pool: NumberPool): Promise<Write[]>;
}

export interface NumberPool {
  /** The pool's unique name, such as `vlans#site-a`. */
  name: string;
  first: number;
  /** The count of numbers from `first` on; it may grow. */
  size: number;
  /** How long a released number rests, in milliseconds of the clock. */
  rest: number;
}

export interface Wanted {
  /**
   * The count. All or none are claimed, so that two holders with half of their numbers never block
   * each other.
   */
  count: number;
  fence: Check[];
  /**
   * Whether the pool's definition is unchanged; called before the pool's first allocation. If not,
   * the claim throws Unavailable.
   */
  isCurrent?: () => Promise<boolean>;
  /** Further writes for the transaction that changes the holder's record, such as dropping a ticket. */
  writes?: Write[];
}

export interface ReleaseConditions {
  fence?: Check[];
  /** Releases only if the holder has exactly these numbers: later numbers stay claimed. */
  seen?: readonly number[];
}

/**
 * The claimed numbers, or the pool's usage if too few are free; `next` is the time at which the next rest
 * ends, if any (ms).
 */
export type Claim = { claimed: number[] } | { short: Usage; next: number | undefined };

/**
 * The counts of used, resting and all numbers. A number whose rest is over may count as resting
 * until it is claimed.
 */
export interface Usage {
  used: number;
  resting: number;
  size: number;
}

export interface Survey extends Usage {
  /** How many of the used numbers are foreign. */
  foreign: number;
}
