import { failedPartition } from "../../../core/kernel/object/keys.ts";
import type { Kind } from "../../../core/kernel/object/object.ts";
import { objectIn } from "../../../core/kernel/object/records.ts";
import type { Caller } from "../../../core/kernel/request/caller.ts";
import { allUnfinished } from "../../../core/kernel/saga/due.ts";
import type { Store } from "../../../core/kernel/store/store.ts";
import { definitionOf, kinds } from "../registry.ts";
import { type Test, textsOf } from "./required.ts";
import { type Narrowed, naming, type Part, stored } from "./source.ts";

/**
 * The provider's lists of objects by an operation that is unfinished or has failed. They are read from the indexes
 * of these, so their cost does not grow with the number of objects.
 */

/** Members that an object has only while its operation is unfinished. */
const isOfWork = ({ path }: Test): boolean =>
  /^this\.status\.(operation|queued_operation|stalled|waiting)\b/.test(path);

/**
 * Each object is still checked, since its operation may have ended. Undefined where the filter does not narrow the
 * objects to these indexes.
 */
export function byWork(
  store: Store,
  kind: Kind,
  caller: Caller,
  required: Test[][],
): Narrowed | undefined {
  if (!caller.everywhere || definitionOf(kind).isOperated !== true) return undefined;
  const used = new Set<Test[]>();
  if (required.some((tests) => tests.length > 0 && tests.every(isOfWork)))
    return { parts: underWay(store, kind), used };
  const states = required
    .map((tests) => textsOf(tests, "this.status.state"))
    .find((texts) => texts?.every((text) => text.endsWith("_FAILED")));
  if (!states) return undefined;
  // A stuck deletion is in both indexes: it counts as failed, and is unfinished.
  const isStuck = states.some((text) => text.endsWith("_DELETE_FAILED"));
  const failed = stored(store, { pk: failedPartition(kind), index: "g2" });
  return { parts: [failed, ...(isStuck ? underWay(store, kind) : [])], used };
}

/** The objects of a kind with an unfinished operation, from the index of these operations. */
const underWay = (store: Store, kind: Kind): Part[] =>
  allUnfinished.map((partition) =>
    naming(stored(store, partition), (item) => {
      const { target } = objectIn<"operation">(kinds, item).spec;
      return target.kind === kind ? target.id : undefined;
    }),
  );
