import { AppError } from "../../../core/error.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import type { Cluster } from "../../../core/resources/cluster/model.ts";
import { ownerOf } from "../../../core/resources/cluster/owner.ts";
import { storageOf } from "../../../core/resources/cluster-template/content/render.ts";
import { loadRevision } from "../../../core/resources/cluster-template/content/revisions.ts";
import { isDone } from "../../../core/site/parts.ts";
import { note, siteOf } from "./site.ts";

/** The cluster's own share of the provider's storage, where its template asks for volumes. */
export async function allocateStorage(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  const here = await siteOf(cluster, context);
  if (!here) return;
  const wanted = storageOf(await loadRevision(context.deps.store, cluster));
  if (!wanted) return note("storage", isDone, context);
  if (!here.storage)
    throw new AppError("Rejected", "its template has volume storage, and its site has none");
  // Before the effect: what a crash leaves must be looked for by the undo.
  await note("storage", { state: "pending", message: "its share of the storage" }, context);
  await context.guard();
  await here.storage.ensure(ownerOf(cluster));
  const seen = await here.storage.observe(ownerOf(cluster));
  if (seen.state === "done") await note("storage", isDone, context);
}

export async function releaseStorage(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  const here = await siteOf(cluster, context);
  if (!here) return;
  const wanted = storageOf(await loadRevision(context.deps.store, cluster));
  // Its cluster is gone, and with it whoever would remove the volumes that go with their claims.
  if (wanted?.reclaimPolicy === "Delete") await here.storage?.removeVolumes(ownerOf(cluster));
  const left = (await here.storage?.remove(ownerOf(cluster))) ?? [];
  if (left.length === 0) return note("storage", "gone", context);
  const message = `volumes to be removed by somebody: ${left.slice(0, 5).join(", ")}`;
  await note("storage", { state: "pending", message }, context);
}
