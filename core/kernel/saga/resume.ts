import { timestamp } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../deps.ts";
import { rewritten } from "../events/rewrite.ts";
import { putChanged } from "../object/records.ts";
import type { Acceptance } from "../request/action.ts";
import type { Caller } from "../request/caller.ts";
import type { Operation } from "./operation.ts";

/** The writes that ask a STUCK operation to continue; the relay wakes its saga. Throws FailedPrecondition. */
export function resumeWrites(
  deps: Deps,
  { user }: Caller,
  before: Operation,
): Acceptance<"operation"> {
  const { state } = before.status;
  if (state !== "STUCK") {
    throw new AppError(
      "FailedPrecondition",
      `cannot resume operation '${before.id}': it is ${state}, not STUCK`,
    );
  }
  if (before.resume) return { writes: [], result: { object: before } };
  const now = deps.clock.now();
  const resume = { at: timestamp(now), by: user };
  const object = rewritten(deps.kinds, before, { ...before, resume }, now);
  return { writes: [putChanged(deps.kinds, object)], result: { object } };
}
