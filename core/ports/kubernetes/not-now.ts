import { AppError, type ErrorOptions } from "../../error.ts";

/** Unavailable, said by a server that is there and understood: what it asks for passes, or is mended. */
export class NotNow extends AppError {
  constructor(message: string, options: ErrorOptions = {}) {
    super("Unavailable", message, options);
  }
}
