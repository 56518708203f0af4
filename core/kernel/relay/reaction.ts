import type { Deps } from "../deps.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import type { Shapes } from "../saga/settle.ts";

/** What the relay does after a change of an object of a kind. Every part must be harmless when repeated. */
export interface Reaction<K extends Kind> {
  /** `before` is undefined for a new object. */
  changed?(
    deps: Deps & { shapes: Shapes },
    before: ObjectOf[K] | undefined,
    after: ObjectOf[K],
  ): Promise<void>;
  /** Called once a timer of an object has come, which may be for nothing, or after the object is gone. */
  timeCame?(deps: Deps, id: string): Promise<void>;
  /** Called when the record was deleted. */
  removed?(deps: Deps, before: ObjectOf[K]): Promise<void>;
  /** Called when the object was deleted and is kept in the archive for a while. */
  archived?(deps: Deps, object: ObjectOf[K]): Promise<void>;
}

export type Reactions = { readonly [K in Kind]?: Reaction<K> };

/** The reaction for an object whose kind is known only when it runs. */
export const reactionOf = <K extends Kind>(
  reactions: Reactions,
  kind: K,
): Reaction<K> | undefined => reactions[kind];
