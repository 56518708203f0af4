import { AppError } from "../../error.ts";
import type { Outside } from "../../outside.ts";

/**
 * Unavailable, for a system that is known not to answer. The system is not called: the step keeps its
 * task until a sweep finds that the system answers again.
 */
export class Away extends AppError {
  constructor(from: Outside) {
    super("Unavailable", `the ${from.system} does not answer`, {
      detail: "not asked: it did not answer when it was last looked at",
    });
    this.from = from;
  }
}
