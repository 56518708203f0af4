import { tenantPartition } from "../../kernel/object/keys.ts";
import { sharedTenant } from "../../kernel/object/metadata.ts";
import { objectsIn, type Records } from "../../kernel/object/records.ts";
import { type ClusterVersion, isOrderable } from "../cluster-version/model.ts";
import { compareVersions, minorsBetween, releaseOf } from "../cluster-version/release.ts";
import { type Cluster, wantedNodeSets } from "./model.ts";

/** How many minor versions nodes may be behind their control plane (docs/reference/hub.md §6). */
const widestSkew = 2;

/**
 * The versions to which the cluster has an upgrade path, lowest first. Other rules decide whether an upgrade
 * can begin now.
 */
export async function openUpgrades(records: Records, cluster: Cluster): Promise<ClusterVersion[]> {
  const owners = [...new Set([cluster.metadata.tenant, sharedTenant])];
  const owned = await Promise.all(owners.map((owner) => versionsOf(records, owner)));
  return owned
    .flat()
    .filter((version) => refusedPath(cluster, version) === undefined)
    .sort((a, b) => compareVersions(a.spec.version, b.spec.version));
}

async function versionsOf(records: Records, owner: string): Promise<ClusterVersion[]> {
  const versions: ClusterVersion[] = [];
  const query = { index: "g1", pk: tenantPartition("cluster_version", owner) } as const;
  for await (const page of objectsIn<"cluster_version">(records, query)) versions.push(...page);
  return versions;
}

/** Why there is no upgrade path from the cluster's version to this one; undefined if there is one. */
export function refusedPath(cluster: Cluster, target: ClusterVersion): string | undefined {
  const { version, upgrades_from } = target.spec;
  const from = cluster.release.version;
  if (!isOrderable(target))
    return `ClusterVersion "${target.metadata.name}" can't be upgraded to any more`;
  const order = compareVersions(version, from);
  if (order === 0) return `the cluster already runs ${from}`;
  if (order < 0) return `a cluster cannot be downgraded from ${from} to ${version}`;
  const minors = minorsBetween(from, version);
  if (minors === undefined || minors > 1)
    return `a cluster at ${from} can be upgraded to a later patch or to the next minor version, not to ${version}`;
  if (upgrades_from && !upgrades_from.includes(from))
    return `cannot upgrade from ${from} to ${version}: only from ${upgrades_from.join(", ")}`;
  const late = Object.keys(wantedNodeSets(cluster)).find(
    (name) => (minorsBetween(releaseOf(cluster, name).version, version) ?? 0) > widestSkew,
  );
  if (late === undefined) return undefined;
  const at = releaseOf(cluster, late).version;
  return `node set '${late}' is at ${at}, more than ${widestSkew} minor versions behind ${version}: bring it to ${from} first, by POST /clusters/{id}/retry`;
}
