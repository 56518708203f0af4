import type { Holder } from "../../kernel/claim/holder.ts";
import type { Kind } from "../../kernel/object/object.ts";
import type { Check, Write } from "../../kernel/store/store.ts";

/**
 * The IPAM port allocates numbers of pools (VLAN ids, prefixes of a range, outside addresses). Each
 * number goes to one holder, whose record in the store says so. An allocator may be another
 * system. Then the adapter allocates there in the holder's name before it writes the record, and
 * frees there after it has cleared the record. So a number in a record is never free, and after a crash
 * a repeated call finds the allocation by that name.
 */
export interface Ipam extends PoolDefinition {
  /**
   * Claims numbers for a holder, all or none. A holder that has numbers of the pool already gets those.
   * Throws Cancelled, without any claim, when the fence does not hold.
   */
  claim<K extends Kind>(pool: NumberPool, holder: Holder<K>, wanted: Wanted): Promise<Claim>;
  /**
   * Releases a holder's numbers: they rest, then others can claim them. Answers the numbers that this call
   * released. Throws Cancelled, without any release, when the fence does not hold.
   */
  release<K extends Kind>(
    pool: NumberPool,
    holder: Holder<K>,
    conditions?: ReleaseConditions,
  ): Promise<number[]>;
  /** How full a pool is, at the price of one read. */
  usage(pool: NumberPool): Promise<Usage>;
  /** How full a pool is, in detail: it reads more than `usage`. */
  survey(pool: NumberPool): Promise<Survey>;
  /**
   * Holds exactly these foreign numbers, which things outside use and no record knows: nobody can claim
   * them until a later call leaves them out. A number that a record holds stays with its owner. The map
   * has, by number, the holder that the thing outside names. Releases none when the fence does not hold:
   * the map is outdated.
   */
  hold(pool: NumberPool, foreign: ReadonlyMap<number, string>, fence?: Check[]): Promise<void>;
  /**
   * What the other system shows otherwise than Slipway has it; absent where numbers are in one
   * place alone. It repairs nothing.
   */
  drift?(pool: NumberPool): Promise<NumberDrift[]>;
}

/** A number that another system shows otherwise than Slipway has it, and how, for people. */
export interface NumberDrift {
  number: number;
  message: string;
}

/** Whether a pool may get another definition. Slipway's own store knows this of every pool. */
export interface PoolDefinition {
  /** Whether any number of the pool was ever allocated: from then on the pool may only grow. */
  wasUsed(pool: NumberPool): Promise<boolean>;
  /**
   * The writes that go with another definition of a pool that was never used. They are refused when a
   * number was allocated since, and a claim under way then asks whether its definition `isCurrent`.
   */
  redefine(pool: NumberPool): Promise<Write[]>;
}

export interface NumberPool {
  /** The pool's unique name, such as `vlans#site-a`. */
  name: string;
  first: number;
  /** The count of numbers from `first` on; may grow. */
  size: number;
  /** The rest after a release, in milliseconds of the clock. */
  rest: number;
}

export interface Wanted {
  /**
   * The count; all or none are claimed, so that two holders never block each other with half of what
   * each needs.
   */
  count: number;
  fence: Check[];
  /**
   * Whether the pool is still defined as it is given; asked before its first number is allocated. If it
   * is not, the claim throws Unavailable.
   */
  isCurrent?: () => Promise<boolean>;
  /** Further writes in the transaction that changes the holder's record, such as dropping a ticket. */
  writes?: Write[];
}

export interface ReleaseConditions {
  fence?: Check[];
  /** Only while the holder has just these numbers: a holder that has others by now keeps them. */
  seen?: readonly number[];
}

/** The claimed numbers, or how full the pool is; `next` is when the next rest ends, if one does (ms). */
export type Claim = { claimed: number[] } | { short: Usage; next: number | undefined };

/**
 * Numbers in use and at rest, and how many there are. A number whose rest is over may count as resting
 * until it is claimed.
 */
export interface Usage {
  used: number;
  resting: number;
  size: number;
}

export interface Survey extends Usage {
  /** Of the used numbers, the foreign ones. */
  foreign: number;
}
