import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { load } from "../../kernel/object/records.ts";
import type { Write } from "../../kernel/store/store.ts";
import { automaticAttachments, type Cluster } from "./model.ts";

/**
 * Refuses to delete a cluster while external IPs lead to it, except those that its order created. Throws
 * FailedPrecondition with the attachments to delete first.
 */
export async function refuseAttachedCluster(
  { store, kinds }: Deps,
  cluster: Cluster,
): Promise<Write[]> {
  const { id, site } = cluster;
  const own = automaticAttachments(cluster);
  const ids = Object.values(site?.external_ips ?? {})
    .map(({ attachment }) => attachment)
    .filter((each) => !own.includes(each));
  if (ids.length === 0) return [];
  const kind = "external_ip_attachment";
  const found = await Promise.all(ids.map((each) => load({ store, kinds }, kind, each)));
  const objects = found.flatMap((each) =>
    each ? [{ id: each.id, name: each.metadata.name }] : [],
  );
  const names = objects.map((each) => `external ip attachment '${each.name}' (${each.id})`);
  throw new AppError(
    "FailedPrecondition",
    `cannot delete cluster '${id}': in use by ${names.join(", ")}`,
    { inUse: [{ kind, count: ids.length, objects }] },
  );
}
