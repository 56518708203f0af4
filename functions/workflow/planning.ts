import type { Arns } from "../../core/ports/workflow/step-functions/arns.ts";
import { planning } from "../../core/ports/workflow/step-functions/planning.ts";
import { states } from "./states.ts";

export const workflowPlans = (arns: Pick<Arns, "execution">) => planning(states, arns);
