import { timestamp } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../deps.ts";
import { written } from "../events/rewrite.ts";
import type { Acceptance } from "../request/action.ts";
import type { Caller } from "../request/caller.ts";
import type { Operation } from "./operation.ts";

/** The writes that ask a STUCK operation to continue; the relay then resumes its saga. Throws FailedPrecondition. */
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
  const resume = { at: timestamp(deps.clock.now()), by: user };
  const { object, writes } = written(deps, before, { ...before, resume });
  return { writes, result: { object } };
}
