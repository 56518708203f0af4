/** A system outside, by the names that people read. */
export interface Outside {
  /** Such as `hub`. */
  system: string;
  /** Which of them, such as a hub's id; not for tenants. */
  instance?: string;
}
