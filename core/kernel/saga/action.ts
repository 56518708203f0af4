import type { ObjectOf } from "../object/object-of.ts";
import type { OperatedKind } from "../object/traits.ts";
import type { Context, StepContext } from "./context.ts";
import type { ActionShape, Outcome, SagaOf } from "./saga.ts";

/**
 * One direction of a step on a `T`: the smallest part of its target that the step needs. The kernel
 * loads the target before each call and hands it in.
 */
export interface Action<T> extends ActionShape {
  /**
   * Brings the world to the state that the step wants. Throws an AppError; the step is tried again
   * after `Unavailable`, until its deadline.
   */
  act?(target: T, context: StepContext<T>): Promise<void>;
  /** Reads the world and writes what it found into the record: for changes that no report brought. */
  look?(target: T, context: StepContext<T>): Promise<void>;
  /** Decides from the store alone whether the wanted state is reached. Also called after every report. */
  until?(target: T, context: Context): Outcome | Promise<Outcome>;
  /** The action changes nothing at its system: it only looks there and writes the store. */
  effects?: "none";
}

/** A saga on objects of a kind, with the code of its steps. */
export type Saga<K extends OperatedKind = OperatedKind> = SagaOf<Action<ObjectOf[K]>>;

export const saga = <K extends OperatedKind>(
  name: string,
  table: Omit<Saga<K>, "name">,
): Saga<K> => ({ name, ...table });
