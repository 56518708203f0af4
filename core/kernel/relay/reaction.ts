import type { Deps } from "../deps.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import type { Shapes } from "../saga/settle.ts";

/** The relay's actions after a change of an object of a kind. Each must be safe to repeat. */
export interface Reaction<K extends Kind> {
  /** `before` is undefined for a new object. */
  changed?(
    deps: Deps & { shapes: Shapes },
    before: ObjectOf[K] | undefined,
    after: ObjectOf[K],
  ): Promise<void>;
  /** Called after a timer of an object has expired, even if the reason is gone or the object is deleted. */
  timeCame?(deps: Deps, id: string): Promise<void>;
  /** Called when the record was deleted. */
  removed?(deps: Deps, before: ObjectOf[K]): Promise<void>;
  /** Called when the object was deleted; the archive keeps it for a while. */
  archived?(deps: Deps, object: ObjectOf[K]): Promise<void>;
}

export type Reactions = { readonly [K in Kind]?: Reaction<K> };

/** The reaction to an object whose kind is known only at run time. */
export const reactionOf = <K extends Kind>(
  reactions: Reactions,
  kind: K,
): Reaction<K> | undefined => reactions[kind];
