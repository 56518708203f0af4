import { AppError } from "../../../core/error.ts";
import type { Deps } from "../../../core/kernel/deps.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import type { AtSite } from "../../../core/resources/site/at-site.ts";
import { ownerOf } from "../../../core/resources/site/owner.ts";
import { donePart } from "../../../core/resources/site/parts.ts";
import { note, siteOf } from "./site.ts";

/** What a target wants of the storage of its site; undefined for nothing. */
type StorageWish<T> = (
  target: T,
  deps: Deps,
) => Promise<{ reclaimPolicy: "Delete" | "Retain" } | undefined>;

/** A share of the provider's storage of its own, where it wants one. */
export const allocateStorage =
  <T extends AtSite>(wishOf: StorageWish<T>) =>
  async (target: T, context: StepContext<T>): Promise<void> => {
    const here = await siteOf(target, context);
    if (!here) return;
    if (!(await wishOf(target, context.deps))) return note("storage", donePart, context);
    if (!here.storage)
      throw new AppError("Rejected", "its template has volume storage, and its site has none");
    // Before the effect: what a crash leaves must be looked for by the undo.
    await note("storage", { state: "pending", message: "its share of the storage" }, context);
    await context.guard();
    await here.storage.ensure(ownerOf(target));
    const seen = await here.storage.observe(ownerOf(target));
    if (seen.state === "done") await note("storage", donePart, context);
  };

export const releaseStorage =
  <T extends AtSite>(wishOf: StorageWish<T>) =>
  async (target: T, context: StepContext<T>): Promise<void> => {
    const here = await siteOf(target, context);
    if (!here) return;
    const wish = await wishOf(target, context.deps);
    // Whoever would remove the volumes that go with their claims is gone already.
    if (wish?.reclaimPolicy === "Delete") await here.storage?.removeVolumes(ownerOf(target));
    const left = (await here.storage?.remove(ownerOf(target))) ?? [];
    if (left.length === 0) return note("storage", "gone", context);
    const message = `volumes to be removed by somebody: ${left.slice(0, 5).join(", ")}`;
    await note("storage", { state: "pending", message }, context);
  };
