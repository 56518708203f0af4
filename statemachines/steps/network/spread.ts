import type { StepContext } from "../../../core/kernel/saga/context.ts";
import type { Spread } from "../../../core/resources/network-class/spread.ts";

/** Has every end of an overlay have the newest version. No server's DPU is an end yet, so all of them do at once. */
export async function spreadToEnds({ change }: StepContext<{ spread?: Spread }>): Promise<void> {
  await change((target) => {
    const { spread } = target;
    if (!spread || spread.applied === spread.wanted) return undefined;
    return { ...target, spread: { ...spread, applied: spread.wanted } };
  });
}

/** Has no end have anything of it any more, which is when its numbers are free to rest. */
export async function withdrawFromEnds({
  change,
}: StepContext<{ spread?: Spread }>): Promise<void> {
  await change((target) => {
    if (target.spread?.applied === undefined) return undefined;
    const { applied: _, ...spread } = target.spread;
    return { ...target, spread };
  });
}
