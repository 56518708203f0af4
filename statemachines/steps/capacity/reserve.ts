import { seconds } from "../../../core/clock.ts";
import { dropTicket } from "../../../core/kernel/claim/ticket.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { edit } from "../../../core/kernel/saga/settle.ts";
import { lackingHosts } from "../../../core/placement/demand.ts";
import { heldHosts, release } from "../../../core/placement/release.ts";
import { reserve } from "../../../core/placement/reserve.ts";
import { refreshAgents } from "../../../core/reconcile/refresh.ts";
import { clusterPlacing, demandFor, wantsOf } from "../../../core/resources/cluster/demand.ts";
import {
  type Cluster,
  type NodeSets,
  wantedNodeSets,
} from "../../../core/resources/cluster/model.ts";
import { queuesOf } from "../../../core/resources/cluster/queues.ts";
import { mayLeave } from "../../../core/resources/host/model.ts";
import { former, type Goal } from "../cluster/deployment.ts";

/** How often a waiting order looks again by itself, should nobody tell it. */
const ownLook = seconds(300);

/** Takes what the order lacks, or a ticket; written down is why this hub, or what it waits for. */
export async function reserveCapacity(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  await context.guard();
  await reserveAt(cluster, wantedNodeSets(cluster), context);
}

/** The hosts that the cluster had before this operation, for its undo; they may be others. */
export const reserveFormer = (cluster: Cluster, context: StepContext<Cluster>): Promise<void> =>
  reserveAt(cluster, former(cluster), context);

async function reserveAt(
  { id }: Cluster,
  nodeSets: NodeSets,
  context: StepContext<Cluster>,
): Promise<void> {
  const { deps, operation } = context;
  const reservation = await reserve(deps, {
    ...clusterPlacing,
    id,
    demand: demandFor(nodeSets),
    operation,
    step: context.step,
    fence: context.fence(),
  });
  const reason = reservation.placed ? reservation.reason : `waits for ${reservation.waitingFor}`;
  const position = reservation.placed ? undefined : reservation.position;
  await edit(deps, operation.id, (current) => ({
    ...current,
    placement: {
      reason,
      rejected: reservation.rejected.slice(0, 20),
      ...(position === undefined ? {} : { position }),
    },
  }));
}

const reservedAt =
  (goal: Goal) =>
  (cluster: Cluster, { operation }: Context): Outcome => {
    const { placement } = cluster;
    const wants = wantsOf(cluster, goal(cluster));
    if (placement && lackingHosts(wants, placement).size === 0) return done;
    return pending(operation.placement?.reason ?? "waits for capacity", ownLook);
  };

export const capacityReserved = reservedAt(wantedNodeSets);
export const formerReserved = reservedAt(former);

/** Leaves the queues; the hosts are given back when their agents are. */
export async function leaveQueues(
  cluster: Cluster,
  { deps, operation }: StepContext<Cluster>,
): Promise<void> {
  await deps.store.transact(queuesOf(cluster).map((name) => dropTicket(name, operation)));
}

/** Gives back every host that is reclaimed, and with the last of them the slot. */
export async function releaseCapacity(
  cluster: Cluster,
  { deps, operation }: StepContext<Cluster>,
): Promise<void> {
  if (!cluster.placement) return;
  await refreshAgents(deps, cluster);
  const held = await heldHosts(deps, cluster);
  const busy = new Set(held.flatMap(({ host }) => (mayLeave(host) ? [] : [host.id])));
  const ready = Object.values(cluster.placement.hosts)
    .flat()
    .filter((id) => !busy.has(id));
  const hosts = new Set(ready);
  await release(deps, {
    ...clusterPlacing,
    id: cluster.id,
    operation: operation.id,
    hosts: () => hosts,
    entirely: true,
  });
}

export async function capacityReleased(cluster: Cluster, { deps }: Context): Promise<Outcome> {
  if (!cluster.placement) return done;
  const held = await heldHosts(deps, cluster);
  const busy = held.filter(({ host }) => !mayLeave(host));
  if (busy.length === 0) return pending("gives its hosts back", 0);
  const first = busy[0]?.host;
  const state = first?.status.agent?.state ?? "unknown";
  return pending(
    `${busy.length} hosts to be reclaimed; ${first?.metadata.name} is ${state}`,
    ownLook,
  );
}
