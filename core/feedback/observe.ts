import { timestamp } from "../clock.ts";
import type { Deps } from "../deps.ts";
import type { News } from "../hub/news.ts";
import { type Cluster, clusterLabel, nodeSetLabel } from "../model/cluster.ts";
import { type Host, isReclaimed } from "../model/host.ts";
import { admitHost, withdrawHost } from "../placement/pool.ts";
import { hostClass, wakeQueues } from "../placement/tickets.ts";
import {
  isNewer,
  macsOf,
  observedAgent,
  observedControlPlane,
  observedNodePool,
} from "../status/observed.ts";
import { macKey, poolKey } from "../store/keys.ts";
import { load } from "../store/records.ts";
import { changeObject } from "../store/rewrite.ts";
import { TransactionRefused } from "../store/store.ts";

/**
 * News of one hub object into the records. Answers the cluster it concerns, if any. News of a
 * cluster that is placed elsewhere is refused: a hub speaks for its own only. `fresh` news was read
 * directly just now and wins over what is stored.
 */
export async function observe(
  deps: Deps,
  hub: string,
  news: News,
  fresh = false,
): Promise<string | undefined> {
  if (news.kind === "Agent") return observeAgent(deps, hub, news, fresh);
  const id = news.object.metadata.labels?.[clusterLabel];
  const cluster = id === undefined ? undefined : await load(deps.store, "cluster", id);
  if (!cluster || cluster.placement?.hub !== hub) {
    deps.log.warn(
      { hub, kind: news.kind, name: news.object.metadata.name },
      "news of a cluster that is not there",
    );
    return undefined;
  }
  await changeObject(deps, "cluster", cluster.id, (current) =>
    observed(current, hub, news, fresh, timestamp(deps.clock.now())),
  );
  return cluster.id;
}

/** The cluster with what the news says; undefined when it says nothing new. */
function observed(
  cluster: Cluster,
  hub: string,
  news: News,
  fresh: boolean,
  now: string,
): Cluster | undefined {
  if (cluster.placement?.hub !== hub) return undefined;
  const { control_plane, node_pools } = cluster.observed;
  if (news.kind === "HostedCluster") {
    if (!fresh && !isNewer(control_plane, news)) return undefined;
    return {
      ...cluster,
      observed: {
        ...cluster.observed,
        control_plane: observedControlPlane(news, control_plane, now),
      },
    };
  }
  const set = news.object.metadata.labels?.[nodeSetLabel];
  if (set === undefined || (!fresh && !isNewer(node_pools[set], news))) return undefined;
  const pool = observedNodePool(news, now);
  return {
    ...cluster,
    observed: { ...cluster.observed, node_pools: { ...node_pools, [set]: pool } },
  };
}

/** News of an agent: the host is known by its MAC addresses, and must be cabled to that hub. */
async function observeAgent(
  deps: Deps,
  hub: string,
  news: News,
  fresh: boolean,
): Promise<string | undefined> {
  const host = await hostOf(deps, news);
  if (!host || host.spec.hub !== hub) {
    deps.log.warn(
      { hub, agent: news.object.metadata.name },
      "an agent that is no host of this hub",
    );
    return undefined;
  }
  const now = await changeObject(deps, "host", host.id, (current) => {
    const before = current.status.agent;
    if (!fresh && !isNewer(before, news)) return undefined;
    return {
      ...current,
      status: { ...current.status, agent: observedAgent(news, timestamp(deps.clock.now())) },
    };
  });
  await adjustPool(deps, now);
  const entry = await deps.store.get(poolKey(host.spec.hub, host.spec.host_type, host.id));
  return typeof entry?.owner === "string" ? entry.owner : undefined;
}

async function hostOf(deps: Deps, news: News): Promise<Host | undefined> {
  const claims = await deps.store.getMany(macsOf(news).map(macKey));
  const id = claims.find((claim) => claim !== undefined)?.host;
  return typeof id === "string" ? load(deps.store, "host", id) : undefined;
}

/** The pool has a host while its agent can be taken; whoever holds it is not disturbed. */
export async function adjustPool(deps: Deps, host: Host): Promise<void> {
  const usable = isReclaimed(host.status.agent) && host.spec.unschedulable !== true;
  const place = { hub: host.spec.hub, hostType: host.spec.host_type };
  try {
    await deps.store.transact([usable ? admitHost(place, host.id) : withdrawHost(place, host.id)]);
  } catch (error) {
    // Held, or as it should be already.
    if (!(error instanceof TransactionRefused)) throw error;
    return;
  }
  if (usable) await wakeQueues(deps, [hostClass(host.spec.host_type)]);
}
