import type { Actions } from "../../kernel/request/action.ts";
import { cancelWrites } from "../../kernel/saga/cancel.ts";
import { resumeWrites } from "../../kernel/saga/resume.ts";

/** The actions on an operation. */
export const actions = {
  cancel: {
    summary: "Cancel an operation",
    description: "Asks the operation to stop and to release its resources.",
    destroys: false,
    takesVersion: false,
    accept: (operation, { deps, caller }) => cancelWrites(deps, caller, operation),
  },
  resume: {
    summary: "Resume an operation",
    description: "Continues an operation that is stuck, once a person has removed the cause.",
    destroys: false,
    takesVersion: false,
    accept: (operation, { deps, caller }) => resumeWrites(deps, caller, operation),
  },
} satisfies Actions<"operation">;
