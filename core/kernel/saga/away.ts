import { AppError } from "../../error.ts";
import type { Outside } from "../../outside.ts";

/**
 * Unavailable, said of a system that is known not to answer, without asking it: a step keeps its task
 * until a sweep finds the system again.
 */
export class Away extends AppError {
  constructor(from: Outside) {
    super("Unavailable", `the ${from.system} does not answer`, {
      detail: "not asked: it did not answer when it was last looked at",
    });
    this.from = from;
  }
}
