import type { SiteClaims } from "../../../core/at-site/order.ts";
import { minutes } from "../../../core/clock.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import { step } from "../../../core/kernel/saga/saga.ts";
import { optimisticallyFenced } from "../../../core/kernel/store/optimistically.ts";

/**
 * A step for the claims of an object's order. The undo releases them in one transaction, once nothing outside
 * uses them, and even if the step never began.
 */
export const claimStep = <T>(name: string, { claim, release }: SiteClaims<T>) =>
  step(name, inStore(claim), { ...inStore(release), fromOrder: true });

const inStore = <T>(writesOf: SiteClaims<T>["claim"]): StepAction<T> => ({
  act: (target, { deps, fence }) =>
    optimisticallyFenced(deps.store, fence(), async () => ({
      writes: await writesOf(deps, target),
      result: undefined,
    })),
  effects: "none",
  deadline: minutes(15),
});
