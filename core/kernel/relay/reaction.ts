import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import type { RecheckQueue } from "../saga/rechecks.ts";
import type { SettleDeps, Shapes } from "../saga/settle.ts";
import type { TaskAnswers, Workflow } from "../saga/workflow.ts";

/** What reactions have. */
export interface ReactionDeps extends SettleDeps {
  workflow: TaskAnswers & Pick<Workflow, "start">;
  recheckQueue: RecheckQueue;
}

/** The relay's actions after a change of an object of a kind. Each must be safe to repeat. */
export interface Reaction<K extends Kind> {
  /** `before` is undefined for a new object. */
  changed?(
    deps: ReactionDeps & { shapes: Shapes },
    before: ObjectOf[K] | undefined,
    after: ObjectOf[K],
  ): Promise<void>;
  /** Called after a timer of an object has expired, even if the reason is gone or the object is deleted. */
  timeCame?(deps: ReactionDeps, id: string): Promise<void>;
  /** Called when the record was deleted. */
  removed?(deps: ReactionDeps, before: ObjectOf[K]): Promise<void>;
  /** Called when the object was deleted; the archive keeps it for a while. */
  archived?(deps: ReactionDeps, object: ObjectOf[K]): Promise<void>;
}

export type Reactions = { readonly [K in Kind]?: Reaction<K> };

/** The reaction to an object whose kind is known only at run time. */
export const reactionOf = <K extends Kind>(
  reactions: Reactions,
  kind: K,
): Reaction<K> | undefined => reactions[kind];
