import { AppError } from "../../error.ts";

/** The error of a request that no store can serve: a defect of the caller. */
export function misuse(detail: string, cause?: unknown): AppError {
  return new AppError("Internal", "internal error", { detail: `store: ${detail}`, cause });
}
