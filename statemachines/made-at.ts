import type { SagasOutside } from "../core/at-site/sagas-outside.ts";
import type { ObjectOf } from "../core/kernel/object/object-of.ts";
import type { OperatedKind } from "../core/kernel/object/traits.ts";
import { type Saga, type StepAction, saga } from "../core/kernel/saga/action.ts";
import { backwards, phase, type Step } from "../core/kernel/saga/saga.ts";

/** Where a tenant's network and its parts are created, with the words for it in the descriptions of sagas. */
const comments = {
  site: { ready: "becomes READY", gone: "is deleted" },
  hub: { ready: "becomes READY on its hub", gone: "is taken off its hub" },
} as const;
export type MadeAt = keyof typeof comments;

/** The sagas of a kind that create its objects at a place and delete them there. */
interface MadeOfSteps<K extends OperatedKind> {
  /** The sagas' names at that place. */
  names: Pick<SagasOutside, "create" | "delete">;
  /** The name of the object in the descriptions of sagas. */
  what: string;
  steps: Step<StepAction<ObjectOf[K]>>[];
  /** The name of the deletion's one state. */
  cleared: string;
}

/**
 * The saga that creates an object at a place, and the one that deletes it by the undos of the first. A deletion
 * begins only when the object has no members.
 */
export function madeAt<K extends OperatedKind>(
  at: MadeAt,
  { names, what, steps, cleared }: MadeOfSteps<K>,
): [Saga<K>, Saga<K>] {
  const { ready, gone } = comments[at];
  return [
    saga<K>(names.create, {
      comment: `An ordered ${what} ${ready}, or everything that it claimed is released`,
      nodes: steps,
    }),
    saga<K>(names.delete, {
      comment: `A ${what} ${gone}, and everything that it held is released`,
      irreversible: true,
      nodes: [phase(cleared, ...backwards(steps))],
    }),
  ];
}
