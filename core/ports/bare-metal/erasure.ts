/**
 * The methods to erase a drive, the strongest first. `cryptographic` destroys the key of everything ever
 * written to it, and `block` erases its cells: both also cover remapped blocks. `overwrite` writes over
 * addressable blocks only. `unspecified` is a method that the controller does not name.
 */
export const erasureMethods = ["cryptographic", "block", "overwrite", "unspecified"] as const;
export type ErasureMethod = (typeof erasureMethods)[number];

/** These methods without duplicates, the strongest first. */
export const strongestFirst = (methods: readonly ErasureMethod[]): ErasureMethod[] =>
  erasureMethods.filter((method) => methods.includes(method));

/** The strongest method by which a drive can be erased; undefined when it cannot. */
export const strongest = ({
  methods,
}: {
  methods: readonly ErasureMethod[];
}): ErasureMethod | undefined => strongestFirst(methods)[0];
