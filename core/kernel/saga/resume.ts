import { timestamp } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../deps.ts";
import { rewritten } from "../events/rewrite.ts";
import { putChanged } from "../object/records.ts";
import { type Caller, mustSee } from "../request/caller.ts";
import type { Accepted } from "../request/checks.ts";
import { optimistically } from "../store/optimistically.ts";

/** Asks a STUCK operation to go on; the relay wakes its saga. Throws NotFound, FailedPrecondition. */
export function resumeOperation(
  deps: Deps,
  caller: Caller,
  id: string,
): Promise<Accepted<"operation">> {
  return optimistically(deps.store, async () => {
    const before = await mustSee(deps, caller, "operation", id);
    const { state } = before.status;
    if (state !== "STUCK") {
      throw new AppError(
        "FailedPrecondition",
        `cannot resume operation '${id}': it is ${state}, not STUCK`,
      );
    }
    if (before.resume) return { writes: [], result: { object: before } };
    const now = deps.clock.now();
    const resume = { at: timestamp(now), by: caller.user };
    const object = rewritten(deps.kinds, before, { ...before, resume }, now);
    return { writes: [putChanged(deps.kinds, object)], result: { object } };
  });
}
