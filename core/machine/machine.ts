import type { Kind } from "../kernel/object/object.ts";

/** A computer in a rack: a host, or a DPU in one. */
export interface Machine {
  kind: Kind;
  id: string;
}

/** The use of a machine's token. */
export interface TokenUse {
  machine: Machine;
  /**
   * The object whose saga boots the machine, and whose kind answers the machine's requests; it may be the
   * machine itself.
   */
  serves: Machine;
  /** The operation that created the token; each operation creates its own. */
  operation: string;
  /** The id of the site whose site controller the machine reaches. */
  site: string;
}
