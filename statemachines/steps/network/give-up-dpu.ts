import { inMinutes, minutes, timestamp } from "../../../core/clock.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { entryOf, waitedFor } from "../../../core/kernel/saga/entry.ts";
import type { Dpu } from "../../../core/resources/dpu/model.ts";
import { serverOf, withServer } from "../../../core/resources/host/server.ts";
import { overlayInWords } from "../dpu/overlay.ts";

/**
 * Gives up a DPU that does not report in time that it no longer uses an address. Its host is quarantined: its
 * present owner keeps the server, and nobody gets the host afterwards. The address is not reused until the DPU
 * has reported or is deleted.
 */

type Step = Pick<StepContext<never>, "deps" | "operation" | "step" | "guard">;

/** The time limit for the report of a DPU. */
const patience = minutes(30);

/** Whether the step has waited longer than `patience`. */
export function isOverdue({ deps, operation, step }: Step): boolean {
  return (waitedFor(entryOf(operation, step), deps.clock.now()) ?? 0) > patience;
}

/** Quarantines the host of a late DPU. `what`: the expected state, in words. */
export async function setAside(dpu: Dpu, what: string, context: Step): Promise<void> {
  const { deps, step } = context;
  await context.guard();
  const reason = `expected ${overlayInWords(dpu)} within ${inMinutes(patience)}, when ${what}`;
  const quarantine = { since: timestamp(deps.clock.now()), step, reason };
  await changeObject(deps, "host", dpu.spec.host.id, (current) =>
    serverOf(current).quarantine ? undefined : withServer(current, { quarantine }),
  );
}
