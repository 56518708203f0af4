import { AppError } from "../../../error.ts";

/**
 * Answers undefined for errors that `fine` accepts; other errors become `Unavailable`, because the SDK
 * has already retried.
 */
export async function asUnavailable<T>(
  call: Promise<T>,
  fine: (error: unknown) => boolean,
): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (fine(error)) return undefined;
    throw new AppError("Unavailable", "the workflow engine could not be asked", { cause: error });
  }
}
