import { minutes } from "../../../core/clock.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { revokeToken } from "../../../core/machine/tokens.ts";
import type { Host } from "../../../core/resources/host/model.ts";

/** Ends the token of a network boot, so that programs on the server cannot use it any more. */
export async function endBootOf(
  { kind, id }: Host,
  { deps, guard, fence }: StepContext<Host>,
): Promise<void> {
  await guard();
  await revokeToken(deps, { kind, id }, { kind, id }, fence);
}

/** Ends the token of a network boot, after the boot. */
export const endBoot: StepAction<Host> = { act: endBootOf, deadline: minutes(15) };
