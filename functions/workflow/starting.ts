import type { Arns } from "../../core/ports/workflow/step-functions/arns.ts";
import { starting } from "../../core/ports/workflow/step-functions/starting.ts";
import { states } from "./states.ts";

export const startsOf = (arns: Arns) => starting(states, arns);
