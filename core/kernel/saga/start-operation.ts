import type { OperationId } from "../../id.ts";
import type { Deps } from "../deps.ts";
import { written } from "../events/rewrite.ts";
import { putNew } from "../object/records.ts";
import type { Write } from "../store/store.ts";
import { newOperation } from "./new-operation.ts";
import type { Target } from "./operated.ts";

/** Starts an operation on an object without a running one: `started` changes the object. */
export function startOperation<T extends Target>(
  deps: Pick<Deps, "kinds" | "clock" | "newId">,
  before: T,
  { saga, creator }: { saga: string; creator: string },
  started: (operation: OperationId) => T,
): { writes: Write[]; result: { object: T; operation: OperationId } } {
  const operation = newOperation(deps, { saga, change: "UPDATE", target: before, creator });
  const { object, writes } = written(deps, before, started(operation.id));
  return {
    writes: [...writes, ...putNew(deps.kinds, operation)],
    result: { object, operation: operation.id },
  };
}
