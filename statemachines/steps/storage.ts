import { AppError } from "../../core/error.ts";
import type { StepContext } from "../../core/kernel/saga/context.ts";
import { storageOf } from "../../core/resources/cluster-template/content/render.ts";
import { loadRevision } from "../../core/resources/cluster-template/content/revisions.ts";
import { storageOwnerOf } from "../../core/site/expected.ts";
import { isDone } from "../../core/site/parts.ts";
import { note, siteOf } from "./site.ts";

/** The cluster's own share of the provider's storage, where its template asks for volumes. */
export async function allocateStorage(context: StepContext): Promise<void> {
  const here = await siteOf(context);
  if (!here) return;
  const wanted = storageOf(await loadRevision(context.deps.store, here.cluster));
  if (!wanted) return note(context, "storage", isDone);
  if (!here.storage)
    throw new AppError("Rejected", "its template has volume storage, and its site has none");
  // Before the effect: what a crash leaves must be looked for by the undo.
  await note(context, "storage", { state: "pending", message: "its share of the storage" });
  await context.guard();
  await here.storage.ensure(storageOwnerOf(here.cluster));
  const seen = await here.storage.observe(storageOwnerOf(here.cluster));
  if (seen.state === "done") await note(context, "storage", isDone);
}

export async function releaseStorage(context: StepContext): Promise<void> {
  const here = await siteOf(context);
  if (!here) return;
  const wanted = storageOf(await loadRevision(context.deps.store, here.cluster));
  // Its cluster is gone, and with it whoever would remove the volumes that go with their claims.
  if (wanted?.reclaimPolicy === "Delete")
    await here.storage?.removeVolumes(storageOwnerOf(here.cluster));
  const left = (await here.storage?.remove(storageOwnerOf(here.cluster))) ?? [];
  if (left.length === 0) return note(context, "storage", "gone");
  const message = `volumes to be removed by somebody: ${left.slice(0, 5).join(", ")}`;
  await note(context, "storage", { state: "pending", message });
}
