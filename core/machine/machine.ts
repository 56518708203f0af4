import type { Kind } from "../kernel/object/object.ts";

/** What runs by itself in a rack: a host, or a DPU in one. */
export interface Machine {
  kind: Kind;
  id: string;
}

/** What a machine's token is for. */
export interface TokenUse {
  machine: Machine;
  /** The object whose saga boots the machine, and which says what the machine gets: it may be the machine itself. */
  serves: Machine;
  /** The operation that minted it: another one mints another. */
  operation: string;
  /** The id of the site whose contract the machine reaches. */
  site: string;
}
