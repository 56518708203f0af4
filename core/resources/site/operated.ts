import type { Failure } from "../../kernel/object/failure.ts";
import type { Operated } from "../../kernel/object/traits.ts";

/** The record at the end of an operation that did not delete its object: a failure is kept until another one succeeds. */
export function atRest<T extends Operated & { made?: true }>(
  object: T,
  failure: Failure | undefined,
): T {
  const { operation: _, queued: __, failure: ___, ...rest } = object;
  // What is left out is optional in every such object, which the compiler cannot follow.
  const settled = rest as unknown as T;
  return failure ? { ...settled, failure } : { ...settled, made: true };
}
