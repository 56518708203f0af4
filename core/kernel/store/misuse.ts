import { AppError } from "../../error.ts";

/** A request that the store can never serve: a defect of the caller. */
export function misuse(detail: string, cause?: unknown): AppError {
  return new AppError("Internal", "internal error", { detail: `store: ${detail}`, cause });
}
