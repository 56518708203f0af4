import type { AtSite } from "../../../core/at-site/at-site.ts";
import { ownerOf } from "../../../core/at-site/owner.ts";
import { donePart } from "../../../core/at-site/parts.ts";
import { AppError } from "../../../core/error.ts";
import type { Deps } from "../../../core/kernel/deps.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { note, noteBegun, siteOf } from "./site.ts";

/** The storage that a target requests at its site; undefined for none. */
type WantedStorage<T> = (
  target: T,
  deps: Deps,
) => Promise<{ reclaimPolicy: "Delete" | "Retain" } | undefined>;

/** Allocates storage at the provider, if the target asks for some. */
export const allocateStorage =
  <T extends AtSite>(wantedOf: WantedStorage<T>) =>
  async (target: T, context: StepContext<T>): Promise<void> => {
    const here = await siteOf(target, context);
    if (!here) return;
    if (!(await wantedOf(target, context.deps))) return note("storage", donePart, context);
    if (!here.storage)
      throw new AppError("Rejected", "its template has volume storage, and its site has none");
    await noteBegun("storage", "its share of the storage", target, context);
    await here.storage.ensure(ownerOf(target));
    const seen = await here.storage.observe(ownerOf(target));
    if (seen.state === "done") await note("storage", donePart, context);
  };

export const releaseStorage =
  <T extends AtSite>(wantedOf: WantedStorage<T>) =>
  async (target: T, context: StepContext<T>): Promise<void> => {
    const here = await siteOf(target, context);
    if (!here) return;
    const wanted = await wantedOf(target, context.deps);
    // The cluster would have removed such volumes, but is already gone.
    if (wanted?.reclaimPolicy === "Delete") await here.storage?.removeVolumes(ownerOf(target));
    const left = (await here.storage?.remove(ownerOf(target))) ?? [];
    if (left.length === 0) return note("storage", "gone", context);
    const message = `somebody to delete the volumes: ${left.slice(0, 5).join(", ")}`;
    await note("storage", { state: "pending", message }, context);
  };
