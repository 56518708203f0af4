import { AppError } from "../../error.ts";

/** The error of an impossible request to the store: a defect of the caller. */
export function misuse(detail: string, cause?: unknown): AppError {
  return new AppError("Internal", "internal error", { detail: `store: ${detail}`, cause });
}
