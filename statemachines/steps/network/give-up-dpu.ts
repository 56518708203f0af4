import { inMinutes, minutes, timestamp } from "../../../core/clock.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { entryOf, waitedFor } from "../../../core/kernel/saga/entry.ts";
import type { Dpu } from "../../../core/resources/dpu/model.ts";
import { serverOf, withServer } from "../../../core/resources/host/server.ts";
import { overlayInWords } from "../dpu/overlay.ts";

/**
 * Gives up a DPU that does not report the end of an address in time: its host is quarantined, so its present owner
 * keeps the server and nobody gets the host afterwards. The address gets no new holder until the DPU has reported
 * or is removed.
 */

type Step = Pick<StepContext<never>, "deps" | "operation" | "step" | "guard">;

/** How long a DPU may take to report it. */
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
