/**
 * The ways to erase a drive, the strongest first. `cryptographic` has the drive forget the key of all that
 * was ever written on it, and `block` empties its cells: both reach what no address leads to any more.
 * `overwrite` writes over what addresses lead to. `unspecified` is whatever the drive's controller does: it
 * does not tell.
 */
export const erasureMethods = ["cryptographic", "block", "overwrite", "unspecified"] as const;
export type ErasureMethod = (typeof erasureMethods)[number];

/** These methods, each once, the strongest first. */
export const strongestFirst = (methods: readonly ErasureMethod[]): ErasureMethod[] =>
  erasureMethods.filter((method) => methods.includes(method));

/** The strongest method by which a drive can be erased; undefined when it cannot. */
export const strongest = ({
  methods,
}: {
  methods: readonly ErasureMethod[];
}): ErasureMethod | undefined => strongestFirst(methods)[0];
