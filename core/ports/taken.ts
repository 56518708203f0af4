import { AppError, type ErrorOptions } from "../error.ts";

/** A user unknown to Slipway has the claimed number at a system outside: claim another. */
export class Taken extends AppError {
  readonly resource: string;

  constructor(resource: string, message: string, options: ErrorOptions = {}) {
    super("Rejected", message, options);
    this.resource = resource;
  }
}
