import type { OperationId } from "../id.ts";
import { releaseQuota } from "../kernel/claim/quota.ts";
import type { Deps } from "../kernel/deps.ts";
import type { Failure } from "../kernel/object/failure.ts";
import { infraKey } from "../kernel/object/keys.ts";
import type { Operated } from "../kernel/object/traits.ts";
import type { Ending } from "../kernel/saga/operated.ts";
import { exists, type Write } from "../kernel/store/store.ts";
import type { MadeOutside } from "./made-outside.ts";
import { deletes, type SagasOutside } from "./sagas-outside.ts";

/**
 * The record after an operation that did not delete its object: a failure is kept until another operation
 * succeeds.
 */
function atRest<T extends Operated & { made?: true }>(object: T, failure: Failure | undefined): T {
  const { operation: _, queued: __, failure: ___, ...rest } = object;
  // The removed members are optional in every such object, which the compiler cannot infer.
  const settled = rest as unknown as T;
  return failure ? { ...settled, failure } : { ...settled, made: true };
}

/**
 * The effect of operations on objects that one saga creates outside and another deletes. `archived` answers
 * further writes of the kind when an object is deleted.
 */
export const operatedOutside = <T extends MadeOutside>(
  sagas: SagasOutside,
  archived: (target: T, deps: Pick<Deps, "clock">) => Write[] = () => [],
) => ({
  started(target: T, operation: OperationId): T {
    const { failure: _, ...rest } = target;
    // Safe, because `failure` is optional too.
    return { ...(rest as unknown as T), operation };
  },
  ended: (target: T, { saga, failure }: Ending): T | "archive" =>
    deletes(sagas, saga) ? "archive" : atRest(target, failure),
  /** An object that was never created has released everything, so quotas do not count it. */
  settled(before: T, after: T): { target: T; writes: Write[] } {
    const target = after.made ? after : { ...after, charge: {} };
    return { target, writes: releaseQuota(before, target) };
  },
  archived: (target: T, deps: Pick<Deps, "clock">): Write[] => [
    ...releaseQuota(target, undefined),
    ...archived(target, deps),
    { delete: infraKey(target.infra_id), if: exists },
  ],
  placeOf: ({ site, hub }: T) =>
    hub ? ({ kind: "hub", id: hub.id } as const) : site && ({ kind: "site", id: site.id } as const),
});
