import { AppError } from "../../core/error.ts";

/** The error that a call ends with. */
export async function failureOf(call: Promise<unknown>): Promise<AppError> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof AppError) return thrown;
  throw new Error(`no AppError: ${String(thrown)}`);
}
