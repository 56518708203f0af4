import type { Arns } from "../../core/ports/workflow/step-functions/arns.ts";
import { describing } from "../../core/ports/workflow/step-functions/describing.ts";
import { states } from "./states.ts";

export const descriptionsOf = (arns: Arns) => describing(states, arns);
