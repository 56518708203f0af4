import { AppError } from "../../error.ts";
import type { Outside } from "../../outside.ts";

/**
 * The Unavailable error for a system that is known to be unreachable. The system is not called: the step keeps its task
 * until a sweep finds the system reachable.
 */
export class Away extends AppError {
  constructor(from: Outside) {
    super("Unavailable", `the ${from.system} does not answer`, {
      detail: "not asked: it did not answer when it was last looked at",
    });
    this.from = from;
  }
}
