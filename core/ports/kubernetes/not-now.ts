import { AppError, type ErrorOptions } from "../../error.ts";

/** A server answered that it cannot do this now: the cause passes, or an operator repairs it. */
export class NotNow extends AppError {
  constructor(message: string, options: ErrorOptions = {}) {
    super("Unavailable", message, options);
  }
}
