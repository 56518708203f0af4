/**
 * The ways to erase a drive, the strongest first. `cryptographic` has the drive forget the key of all that
 * was ever written on it, and `block` empties its cells: both reach what no address leads to any more.
 * `overwrite` writes over what addresses lead to.
 */
export const erasureMethods = ["cryptographic", "block", "overwrite"] as const;
export type ErasureMethod = (typeof erasureMethods)[number];

/** The strongest of these methods; undefined of none. */
export const strongest = (methods: readonly ErasureMethod[]): ErasureMethod | undefined =>
  erasureMethods.find((method) => methods.includes(method));
