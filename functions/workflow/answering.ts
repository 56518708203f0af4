import { answering } from "../../core/ports/workflow/step-functions/answering.ts";
import { states } from "./states.ts";

export const answers = answering(states);
