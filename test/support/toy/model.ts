import type { Id } from "../../../core/id.ts";
import type { StoredObject } from "../../../core/kernel/object/object.ts";
import type { Operated } from "../../../core/kernel/object/traits.ts";

/**
 * A kind of the kernel's own tests: a crate of blocks in a box, painted and labelled. The product does
 * not have it; with it the kernel is tested without clusters, hubs or networks.
 */
export interface Toy extends StoredObject<"toy", ToySpec, ToyStatus>, Operated {
  id: ToyId;
  /** What the running operation brings about. */
  applying?: ToySpec;
  /** What the last operation that succeeded brought about. */
  applied?: ToySpec;
  /** The coat of the crate, as the box was last seen to say. */
  coat?: Coat;
}

export type ToyId = Id<"toy">;
export const asToyId = (id: string): ToyId => id as ToyId;

export interface ToySpec {
  blocks: number;
  colour: string;
  /** The toy that it stands on. */
  on?: ToyId;
}

export interface ToyStatus {
  state: "TOY_STATE_PROGRESSING" | "TOY_STATE_READY" | "TOY_STATE_FAILED" | "TOY_STATE_DELETING";
}

/** `null`: bare wood. */
export interface Coat {
  colour: string | null;
  isDry: boolean;
}

declare module "../../../core/kernel/object/object-of.ts" {
  interface ObjectOf {
    toy: Toy;
  }
}
