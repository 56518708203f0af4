import type { ObjectOf } from "../object/object-of.ts";
import type { OperatedKind } from "../object/traits.ts";
import type { Context, StepContext } from "./context.ts";
import { type ActionShape, isPhase, type Outcome, type SagaOf } from "./saga.ts";

/**
 * One direction of a step on a `T`, the part of its target that the step needs. The kernel loads the target
 * before each call and passes it in.
 */
export interface StepAction<T> extends ActionShape {
  /**
   * Brings the world to the step's desired state. Throws an AppError; after `Unavailable` the step is tried again,
   * until its deadline.
   */
  act?(target: T, context: StepContext<T>): Promise<void>;
  /** Reads the world and writes the findings into the record, for changes that no report announces. */
  look?(target: T, context: StepContext<T>): Promise<void>;
  /**
   * No look follows the act in the same run: either the act has already read the result, or its effect takes a
   * while.
   */
  looksLater?: true;
  /** Decides from the store alone whether the desired state is reached. Also called after every report. */
  until?(target: T, context: Context): Outcome | Promise<Outcome>;
  /** The action changes nothing at its system: it only reads there and writes the store. */
  effects?: "none";
}

/** A saga on objects of a kind, with the code of its steps. */
export type Saga<K extends OperatedKind = OperatedKind> = SagaOf<StepAction<ObjectOf[K]>>;

/**
 * Throws for a saga with undos and phases: an undo reverts the step of its own state, and the state of a phase
 * has several steps.
 */
export function saga<K extends OperatedKind>(name: string, table: Omit<Saga<K>, "name">): Saga<K> {
  if (!table.irreversible && table.nodes.some(isPhase))
    throw new Error(`${name} can turn back, so each of its steps has a state of its own`);
  return { name, ...table };
}
