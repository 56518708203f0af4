import type { Holder } from "../../kernel/claim/holder.ts";
import type { Kind } from "../../kernel/object/object.ts";
import type { Check, Write } from "../../kernel/store/store.ts";

/**
 * Port: gives out numbers of pools (VLAN ids, prefixes of a range, outside addresses), each to one
 * holder, whose record in the store says so. The allocator's books may be elsewhere: then it allocates
 * there in the holder's name before it writes the record, and frees there after it has cleared the
 * record. So no number is free that a record has, and whatever a crash leaves is found again by that
 * name when the call is repeated.
 */
export interface Ipam {
  /**
   * Claims numbers for a holder, all or none. One that holds some already is answered those. Throws
   * Cancelled when the fence does not hold, and has then claimed nothing.
   */
  claim<K extends Kind>(pool: NumberPool, holder: Holder<K>, wanted: Wanted): Promise<Claim>;
  /** Gives a holder's numbers back: they rest, then others may have them. Answers those given back now. */
  release<K extends Kind>(pool: NumberPool, holder: Holder<K>): Promise<number[]>;
  /** How full a pool is, at the price of one read. */
  usage(pool: NumberPool): Promise<Usage>;
  /** The same, looked at more closely. */
  survey(pool: NumberPool): Promise<Survey>;
  /** Whether any of its numbers were ever given out: from then on a pool may only grow. */
  wasUsed(pool: NumberPool): Promise<boolean>;
  /**
   * Holds these numbers, and no others, for things that were found outside and that no record knows:
   * nobody gets them until they are missing here. Numbers that a record holds stay with its owner. By
   * number, the holder that the thing names.
   */
  hold(pool: NumberPool, foreign: ReadonlyMap<number, string>): Promise<void>;
}

export interface NumberPool {
  /** Unique; such as `vlans#site-a`. */
  name: string;
  first: number;
  /** How many numbers from `first` on; may grow. */
  size: number;
  /** Milliseconds of the clock before a number that was given back is taken again. */
  rest: number;
}

export interface Wanted {
  /** How many; all or none, so that no two holders keep from each other what both need. */
  count: number;
  fence: Check[];
  /** Go with the change of the holder's record, such as giving up a place in line. */
  writes?: Write[];
}

/** `next`: when the next rest ends, if one does (ms). */
export type Claim = { claimed: number[] } | { short: Usage; next: number | undefined };

/** Numbers in use and at rest, of how many there are. One whose rest is over may count until it is taken. */
export interface Usage {
  used: number;
  resting: number;
  size: number;
}

export interface Survey extends Usage {
  /** Of those used: held for what was found outside and no record knows. */
  foreign: number;
}
