import { inMinutes, minutes, timestamp } from "../../../core/clock.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { entryOf, waitedFor } from "../../../core/kernel/saga/entry.ts";
import type { Dpu } from "../../../core/resources/dpu/model.ts";
import { serverOf, withServer } from "../../../core/resources/host/server.ts";
import { overlayInWords } from "../dpu/overlay.ts";

/**
 * A DPU that does not tell in time that it has an address no more is given up, and its host quarantined: whoever has the
 * server keeps it, nobody gets the host after that, and the address is nobody else's before the DPU has reported or is gone.
 */

type Step = Pick<StepContext<never>, "deps" | "operation" | "step" | "guard">;

/** How long a DPU may take to tell it. */
const patience = minutes(30);

/** Whether the step has waited longer than that. */
export function isOverdue({ deps, operation, step }: Step): boolean {
  return (waitedFor(entryOf(operation, step), deps.clock.now()) ?? 0) > patience;
}

/** Sets the host of a late DPU aside. `what`: what was to be so by then, in words. */
export async function setAside(dpu: Dpu, what: string, context: Step): Promise<void> {
  const { deps, step } = context;
  await context.guard();
  const reason = `expected ${overlayInWords(dpu)} within ${inMinutes(patience)}, when ${what}`;
  const quarantine = { since: timestamp(deps.clock.now()), step, reason };
  await changeObject(deps, "host", dpu.spec.host.id, (current) =>
    serverOf(current).quarantine ? undefined : withServer(current, { quarantine }),
  );
}
