import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { domainOf } from "../../../core/resources/cluster/domain.ts";
import type { Cluster } from "../../../core/resources/cluster/model.ts";
import { baseDomainOf } from "./deployment.ts";

/** Writes endpoints and console URL into the status: the cluster becomes READY. */
export async function publishCluster(
  { placement }: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  const { deps } = context;
  if (!placement) return;
  const hub = await mustLoad(deps, "hub", placement.hub);
  await context.change((current) => ({
    ...current,
    published: true,
    ready_at: current.ready_at ?? new Date(deps.clock.now()).toISOString(),
    console_url: `https://console-openshift-console.apps.${domainOf(current, baseDomainOf(hub))}`,
  }));
}

/** Removes endpoints and console URL, so that tenants stop using them. */
export async function unpublishCluster(_: Cluster, context: StepContext<Cluster>): Promise<void> {
  await context.change((cluster) => {
    if (!cluster.published) return undefined;
    const { console_url, ...rest } = cluster;
    return { ...rest, published: false };
  });
}
