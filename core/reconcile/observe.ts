import { timestamp } from "../clock.ts";
import type { Deps } from "../kernel/deps.ts";
import { changeObject } from "../kernel/events/rewrite.ts";
import { macKey } from "../kernel/object/keys.ts";
import { load } from "../kernel/object/records.ts";
import { adjustPool } from "../placement/adjust.ts";
import { hostStatus, ownerOf } from "../placement/host.ts";
import { clusterLabel, nodeSetLabel } from "../ports/hub/clusters/labels.ts";
import type { News } from "../ports/hub/news.ts";
import type { Cluster, Source } from "../resources/cluster/model.ts";
import {
  isNewer,
  macsOf,
  observedAgent,
  observedControlPlane,
  observedNodePool,
} from "../resources/cluster/observed.ts";
import type { Host } from "../resources/host/model.ts";

/**
 * Writes a report of one hub object into the records. Answers the cluster that the object belongs
 * to, if any. A report about a cluster on another hub is refused: a hub speaks for its own clusters
 * only. `readAt` (ms) is when a direct read of the object began: it wins over everything known by
 * then, even if that seems later.
 */
export async function observe(
  deps: Deps,
  hub: string,
  news: News,
  readAt?: number,
): Promise<string | undefined> {
  if (news.kind === "Agent") return observeAgent(deps, hub, news, readAt);
  const id = news.object.metadata.labels?.[clusterLabel];
  const cluster = id === undefined ? undefined : await load(deps, "cluster", id);
  if (!cluster || cluster.placement?.hub !== hub) {
    deps.log.warn(
      { hub, kind: news.kind, name: news.object.metadata.name },
      "news of a cluster that is not there",
    );
    return undefined;
  }
  await changeObject(deps, "cluster", cluster.id, (current) =>
    current.placement?.hub === hub
      ? observed(current, news, readAt, timestamp(deps.clock.now()))
      : undefined,
  );
  return cluster.id;
}

/** The cluster with the report applied; undefined if the report changes nothing. */
function observed(
  cluster: Cluster,
  news: News,
  readAt: number | undefined,
  now: string,
): Cluster | undefined {
  const { control_plane, node_pools } = cluster.observed;
  if (news.kind === "HostedCluster") {
    if (!counts(control_plane, news, readAt)) return undefined;
    return {
      ...cluster,
      observed: {
        ...cluster.observed,
        control_plane: observedControlPlane(news, control_plane, now),
      },
    };
  }
  const set = news.object.metadata.labels?.[nodeSetLabel];
  if (set === undefined || !counts(node_pools[set], news, readAt)) return undefined;
  const pool = observedNodePool(news, now);
  return {
    ...cluster,
    observed: { ...cluster.observed, node_pools: { ...node_pools, [set]: pool } },
  };
}

/**
 * Whether a report is to be written. A direct read loses to reports that came in since it began.
 */
function counts(
  known: (Source & { gone: boolean }) | undefined,
  news: News,
  readAt: number | undefined,
): boolean {
  if (known === undefined || isNewer(known, news)) return true;
  const { uid, resourceVersion } = news.object.metadata;
  const same =
    known.uid === uid && known.resource_version === resourceVersion && known.gone === news.deleted;
  return !same && readAt !== undefined && Date.parse(known.at) < readAt;
}

/**
 * Writes a report of an agent: its MAC addresses identify the host, which must be cabled to that
 * hub.
 */
async function observeAgent(
  deps: Deps,
  hub: string,
  news: News,
  readAt: number | undefined,
): Promise<string | undefined> {
  const host = await hostOf(deps, news);
  if (host?.spec.hub !== hub) {
    deps.log.warn(
      { hub, agent: news.object.metadata.name },
      "an agent that is no host of this hub",
    );
    return undefined;
  }
  await changeObject(deps, "host", host.id, (current) => {
    const { agent } = current.status;
    // Versions from the hub where the host was before mean nothing here.
    const known = agent?.hub === hub ? agent : undefined;
    if (current.spec.hub !== hub || !counts(known, news, readAt)) return undefined;
    const now = timestamp(deps.clock.now());
    const told = { hub, ...observedAgent(news, now) };
    return withAgent(current, told);
  });
  return adjustPool(deps, host.id);
}

/** A claimed host's state is updated here; a free host's when the pool changes (`adjustPool`). */
function withAgent(host: Host, agent: NonNullable<Host["status"]["agent"]>): Host {
  const seen: Host = { ...host, status: { ...host.status, agent } };
  const owner = ownerOf(host);
  return owner ? { ...seen, status: hostStatus(seen, owner) } : seen;
}

async function hostOf(deps: Deps, news: News): Promise<Host | undefined> {
  const claims = await deps.store.getMany(macsOf(news).map(macKey));
  const id = claims.find((claim) => claim !== undefined)?.host;
  return typeof id === "string" ? load(deps, "host", id) : undefined;
}
