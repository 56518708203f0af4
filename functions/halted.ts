import * as z from "zod";
import { isKind } from "../core/error.ts";
import { endedUnseen, halt } from "../core/kernel/saga/halt.ts";
import type { OperatedDeps } from "../core/kernel/saga/operated.ts";
import type { Shapes } from "../core/kernel/saga/settle.ts";

/** Step Functions' event "Step Functions Execution Status Change"; only AWS can send it. */
const changed = z.object({
  source: z.literal("aws.states"),
  detail: z.object({
    /** The operation's id, which is the execution's name. */
    name: z.string(),
    status: z.enum(["FAILED", "TIMED_OUT", "ABORTED"]),
    cause: z.string().nullish(),
  }),
});

/**
 * Handles executions that did not succeed. Most have ended their operation; this function ends the others at once,
 * before the sweep would. `cutOff` is called for an execution that was aborted or timed out, which should never
 * happen.
 */
export function halted(
  deps: OperatedDeps,
  shapes: Shapes,
  cutOff: (operation: string, status: "TIMED_OUT" | "ABORTED") => void = () => {},
): (event: unknown) => Promise<void> {
  return async (event) => {
    const { name, status, cause } = changed.parse(event).detail;
    if (status !== "FAILED") cutOff(name, status);
    try {
      await halt(deps, shapes, name, endedUnseen({ state: status, ...(cause && { cause }) }));
    } catch (error) {
      if (!isKind(error, "NotFound")) throw error;
      deps.log.warn({ operation: name, status }, "an execution of no operation has ended");
    }
  };
}
