import { mustLoad } from "../../core/kernel/object/records.ts";
import { changeObject } from "../../core/kernel/object/rewrite.ts";
import type { StepContext } from "../../core/kernel/saga/context.ts";
import { domainOf } from "../../core/resources/cluster/domain.ts";
import { baseDomainOf, clusterOf } from "./deployment.ts";

/** Endpoints and console URL into the status: READY. */
export async function publishCluster(context: StepContext): Promise<void> {
  const { deps } = context;
  await context.guard();
  const cluster = await clusterOf(context);
  if (!cluster.placement) return;
  const hub = await mustLoad(deps.store, "hub", cluster.placement.hub);
  await changeObject(deps, "cluster", cluster.id, (current) => ({
    ...current,
    published: true,
    ready_at: current.ready_at ?? new Date(deps.clock.now()).toISOString(),
    console_url: `https://console-openshift-console.apps.${domainOf(current, baseDomainOf(hub))}`,
  }));
}

/** No tenant is sent there any more. */
export async function unpublishCluster(context: StepContext): Promise<void> {
  await changeObject(context.deps, "cluster", context.operation.spec.target.id, (cluster) => {
    if (!cluster.published) return undefined;
    const { console_url: _, ...rest } = cluster;
    return { ...rest, published: false };
  });
}
