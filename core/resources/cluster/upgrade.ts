import type { Finding } from "../../kernel/object/condition.ts";
import type { Release } from "../../ports/hub/clusters/port.ts";
import { releaseOf } from "../cluster-version/release.ts";
import {
  type Cluster,
  type ObservedControlPlane,
  type UpgradeStatus,
  wantedNodeSets,
} from "./model.ts";

/** Whether the control plane has completed this release. */
export const isAt = (seen: ObservedControlPlane | undefined, { version }: Release): boolean =>
  seen !== undefined && !seen.gone && seen.version_completed && seen.version === version;

/** The node sets that do not yet run a release. */
function nodeSetsBehind(cluster: Cluster, { image, version }: Release): string[] {
  const sets = Object.keys(wantedNodeSets(cluster)).sort();
  return sets.filter((name) => {
    const runs = cluster.observed.node_pools[name]?.version;
    return releaseOf(cluster, name).image !== image || (runs !== undefined && runs !== version);
  });
}

/** The progress of a cluster's upgrade; undefined without one. */
export function upgradeStatus(cluster: Cluster): UpgradeStatus | undefined {
  const { upgrade, release } = cluster;
  const to = upgrade?.to ?? release;
  const node_sets_behind = nodeSetsBehind(cluster, to);
  if (!upgrade)
    return isUnfinished(cluster)
      ? { to: to.version, state: "UNFINISHED", node_sets_behind }
      : undefined;
  const from = upgrade.from.release.version;
  return { from, to: to.version, state: stateOf(cluster, to), node_sets_behind };
}

/** Whether an upgrade stopped before every part had the control plane's release. */
export function isUnfinished(cluster: Cluster): boolean {
  const { published, upgrade, release, observed } = cluster;
  if (!published || upgrade) return false;
  const runs = observed.control_plane?.version;
  const isBehind = runs !== undefined && runs !== release.version;
  return isBehind || nodeSetsBehind(cluster, release).length > 0;
}

function stateOf({ release, observed }: Cluster, to: Release): UpgradeStatus["state"] {
  if (release.image !== to.image) return "CHECKS";
  return isAt(observed.control_plane, to) ? "NODE_SETS" : "CONTROL_PLANE";
}

/** The PROGRESSING condition while an upgrade runs. */
export function upgrading({ from = "", to, state }: UpgradeStatus, { observed }: Cluster): Finding {
  const way = `from ${from} to ${to}`;
  const updating = Object.entries(observed.node_pools).find(
    ([, pool]) => !pool.gone && !pool.version_completed,
  );
  const message = {
    CHECKS: "checks whether it may",
    CONTROL_PLANE: `control plane, ${observed.control_plane?.message || "about to begin"}`,
    NODE_SETS: updating ? `node set ${updating[0]}, ${updating[1].message}` : "node sets",
    UNFINISHED: "stopped",
  }[state];
  return { status: true, reason: "Upgrading", message: `${way}: ${message}` };
}
