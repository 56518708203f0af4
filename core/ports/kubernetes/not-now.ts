import { AppError, type ErrorOptions } from "../../error.ts";

/**
 * Unavailable, from a server that answered and understood: the reason passes, or somebody repairs it.
 */
export class NotNow extends AppError {
  constructor(message: string, options: ErrorOptions = {}) {
    super("Unavailable", message, options);
  }
}
