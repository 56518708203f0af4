import type { Context, StepContext } from "../../core/kernel/saga/context.ts";
import { optimisticallyFenced } from "../../core/kernel/store/optimistically.ts";
import type { Write } from "../../core/kernel/store/store.ts";

/** Writes to the store under the fence of the attempt. Throws Cancelled when the fence does not hold. */
export const underFence = (
  { deps, fence }: Context & Pick<StepContext<never>, "fence">,
  writes: Write[],
): Promise<void> =>
  optimisticallyFenced(deps.store, fence(), async () => ({ writes, result: undefined }));
