/** A system outside, in the words that people read. */
export interface Outside {
  /** The sort of system, such as `hub`. */
  system: string;
  /** Which one of the sort, such as a hub's id; tenants do not see it. */
  instance?: string;
}
