import { minutes } from "../../../core/clock.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { revokeToken } from "../../../core/machine/tokens.ts";
import type { Host } from "../../../core/resources/host/model.ts";

/** Ends the token of a boot from the network: nothing that runs from now on gets anything by it. */
export async function endBootOf(
  { kind, id }: Host,
  { deps, guard, fence }: StepContext<Host>,
): Promise<void> {
  await guard();
  await revokeToken(deps, { kind, id }, { kind, id }, fence);
}

/** The same, once a boot has come to its end. */
export const endBoot: StepAction<Host> = { act: endBootOf, deadline: minutes(15) };
