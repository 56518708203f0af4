import type { Arns } from "../../core/workflow/step-functions/arns.ts";
import { describing } from "../../core/workflow/step-functions/describing.ts";
import { states } from "./states.ts";

export const descriptionsOf = (arns: Arns) => describing(states, arns);
