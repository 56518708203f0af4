import type { AtSite } from "../../../core/at-site/at-site.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { askAgain } from "../site/site.ts";

/** The actions of an overlay's DPUs, for objects without a site, in place of a site's fabric. */
interface AtEnds<T> {
  act(target: T, context: StepContext<T>): Promise<void>;
  /** What a step waits for of a DPU, in words. */
  late(
    target: T,
    context: Parameters<NonNullable<StepAction<T>["until"]>>[1],
  ): Promise<string | undefined>;
}

/** An action that the DPUs carry out for an object at no site; it ends when each has reported the desired version. */
export const atEnds = <T extends AtSite>(
  action: StepAction<T>,
  { act, late }: AtEnds<T>,
): StepAction<T> => ({
  ...action,
  act: async (target, context) =>
    target.site ? action.act?.(target, context) : act(target, context),
  look: async (target, context) =>
    target.site ? action.look?.(target, context) : act(target, context),
  async until(target, context): Promise<Outcome> {
    if (target.site) return action.until?.(target, context) ?? done;
    const what = await late(target, context);
    return what === undefined ? done : pending(what, askAgain);
  },
});
