import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { written } from "../../kernel/events/rewrite.ts";
import { putNew } from "../../kernel/object/records.ts";
import type { Acceptance } from "../../kernel/request/action.ts";
import type { Caller } from "../../kernel/request/caller.ts";
import { newOperation } from "../../kernel/saga/new-operation.ts";
import type { BaremetalInstance } from "./model.ts";
import { instanceSagas } from "./sagas.ts";

/**
 * Reinstalls the image on the disk of a tenant's server. Throws FailedPrecondition for a server that is not
 * created yet, is being deleted, has a running operation, or whose repair has failed.
 */
export function reinstallWrites(
  deps: Deps,
  caller: Caller,
  before: BaremetalInstance,
): Acceptance<"baremetal_instance"> {
  refuseBusy(before);
  const { failure: _, ...rest } = before;
  const operation = newOperation(deps, {
    ...{ saga: instanceSagas.reinstall, change: "UPDATE", creator: caller.user },
    target: before,
  });
  const after = { ...rest, operation: operation.id, restarting: true as const };
  const { object, writes } = written<BaremetalInstance>(deps, before, after);
  return {
    writes: [...writes, ...putNew(deps.kinds, operation)],
    result: { object, operation: operation.id },
  };
}

function refuseBusy(instance: BaremetalInstance): void {
  const { metadata } = instance;
  const why = whyNot(instance);
  if (why === undefined) return;
  throw new AppError("FailedPrecondition", `'${metadata.name}' cannot be reinstalled: ${why}`);
}

function whyNot({ metadata, published, operation, status, repair }: BaremetalInstance) {
  if (!published || metadata.deletion_timestamp !== undefined)
    return `its state is ${status.state}`;
  if (operation !== undefined) return `operation '${operation}' works on it`;
  // After a failed repair its networks may be missing, and the server loads the image over them.
  return repair?.hasFailed
    ? "the repair of its host has failed; a restart tries that again"
    : undefined;
}
