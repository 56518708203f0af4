import { isDeepStrictEqual } from "node:util";
import type { Groups } from "../../at-site/at-site.ts";
import type { Violation } from "../../error.ts";
import { claimQuota } from "../../kernel/claim/quota.ts";
import type { Deps } from "../../kernel/deps.ts";
import { begun } from "../../kernel/request/begun.ts";
import type { Built, Request } from "../../kernel/request/definition.ts";
import { References } from "../../kernel/request/references.ts";
import { referenceTo } from "../../kernel/request/resolve.ts";
import { type Fleet, fleetFor, fleetOn } from "../../placement/capacity/fleet.ts";
import { constraintsOf } from "../../placement/choose/demand.ts";
import type { SecretDeps } from "../../ports/secrets/secrets.ts";
import type { ClusterInput, ClusterSpecInput } from "../cluster-template/order-input.ts";
import type { ClusterVersion } from "../cluster-version/model.ts";
import { changedByOffer } from "./catalog-item.ts";
import { changedNodeSets, changedVersion } from "./change.ts";
import { charged, clusterFieldOf } from "./charge.ts";
import { demandFor } from "./demand.ts";
import { differencesOf } from "./differences.ts";
import type { Cluster, NodeSets } from "./model.ts";
import { changedGroups } from "./network-attachment.ts";
import { changedPullSecret, type PullSecretChange } from "./pull-secret.ts";
import { refuseBeyondHosts } from "./registered-hosts.ts";
import { regroupedTo } from "./regrouping.ts";
import { type Field, momentOf, ruleOf } from "./update-rules.ts";

/** Changes of clusters, by the table of `update-rules.ts`. */

/** A cluster after a change. Throws FailedPrecondition for security groups that cannot be used now. */
export async function changed(
  { deps, input, violations }: Request<"cluster", ClusterInput, SecretDeps>,
  before: Cluster,
): Promise<Built<"cluster">> {
  // The parser drops members that violate the schema; a dropped member is not a change.
  const fields = differencesOf(before, input);
  const more = fields.flatMap((field) => refusalOf(field, before));
  const check = new References(deps, before.metadata.tenant, more);
  const fleet = grows(before, input.spec) ? begun(fleetOf(deps, before)) : undefined;
  const offered = await changedByOffer(deps, before, input.spec, more);
  const node_sets = await changedNodeSets(check, before, offered);
  const version = await changedVersion(check, before, input.spec);
  const isScaled = !isDeepStrictEqual(node_sets, before.spec.node_sets);
  if (version || isScaled) refuseWithoutNodes(check, before, node_sets, version);
  if (fleet)
    await refuseBeyondHosts(check, {
      ...{ nodeSets: node_sets, before: before.spec.node_sets, fleet },
      where: constraintsOf(demandFor(node_sets)(before), before.placement),
    });
  const faults = more.length;
  const pullSecret = fields.some((field) => field.startsWith("spec.pull_secret"))
    ? await changedPullSecret(deps, before, input.spec, more)
    : undefined;
  if (version && isScaled)
    check.refuse("spec.version", "change the version and the node sets in separate requests");
  // A pull secret that already has a violation is not reported again.
  if (version && pullSecret && more.length === faults)
    check.refuse("spec.version", "change the version and the pull secret in separate requests");
  const groups = fields.includes("spec.network_attachment.security_groups")
    ? await changedGroups(deps, before, input.spec.network_attachment, more)
    : undefined;
  if (groups && (version || isScaled || pullSecret))
    check.refuse(
      "spec.network_attachment.security_groups",
      "change the security groups in a request of its own",
    );
  const refused = (field: string) =>
    violations.some((each) => each.field === field || each.field.startsWith(`${field}.`));
  violations.push(...more.filter(({ field }) => !refused(field)));
  const { spec, ...record } = changedTo(before, { node_sets, version, pullSecret, groups });
  return {
    ...{ spec, record, status: before.status },
    claim: async (cluster) => ({
      object: cluster,
      writes: await claimQuota(deps, before, cluster, clusterFieldOf),
    }),
    ...(pullSecret?.secret && { secret: pullSecret.secret }),
  };
}

/** The values that a change alters, without and with the node sets. */
interface Change {
  node_sets: NodeSets;
  version: ClusterVersion | undefined;
  pullSecret: PullSecretChange | undefined;
  groups: Groups | undefined;
}

function changedTo(cluster: Cluster, { version, node_sets, pullSecret, groups }: Change): Cluster {
  if (version) return upgradedTo(cluster, version);
  if (groups) return regroupedTo(cluster, groups);
  const isScaled = !isDeepStrictEqual(node_sets, cluster.spec.node_sets);
  if (!pullSecret)
    return isScaled ? charged({ ...cluster, spec: { ...cluster.spec, node_sets } }) : cluster;
  const { pull_secret: _, pull_secret_secret: __, ...spec } = cluster.spec;
  return charged({ ...cluster, spec: { ...spec, node_sets, ...pullSecret.spec } });
}

/** Whether a change requests more nodes of a set than before. */
const grows = ({ spec }: Cluster, { node_sets = {} }: ClusterSpecInput): boolean =>
  Object.entries(node_sets).some(
    ([name, { size = 0 }]) =>
      size > (Object.hasOwn(spec.node_sets, name) ? (spec.node_sets[name]?.size ?? 0) : 0),
  );

/** The hosts that can serve a cluster; only those of its hub once it is placed. */
const fleetOf = (deps: Deps, { placement, metadata }: Cluster): Promise<Fleet> =>
  placement ? fleetOn(deps, placement.hub) : fleetFor(deps, metadata.tenant);

/**
 * Refuses an upgrade of a cluster without nodes, because its operators run on nodes and would never be
 * upgraded.
 */
function refuseWithoutNodes(
  check: References,
  { upgrade }: Cluster,
  node_sets: NodeSets,
  version: ClusterVersion | undefined,
): void {
  if (Object.values(node_sets).some(({ size }) => size > 0)) return;
  if (version)
    check.refuse(
      "spec.version",
      "an upgrade needs at least one node: give the cluster nodes first",
    );
  else if (upgrade)
    check.refuse(
      "spec.node_sets",
      `the upgrade to ${upgrade.to.version} needs at least one node until it has ended`,
    );
}

/** The cluster with a new version. The previous one is kept, because the upgrade may return to it. */
function upgradedTo(cluster: Cluster, version: ClusterVersion): Cluster {
  const { spec, release } = cluster;
  const to = { version: version.spec.version, image: version.spec.image };
  return {
    ...cluster,
    spec: { ...spec, version: referenceTo(version) },
    upgrade: { from: { version: spec.version, release }, to },
  };
}

/** The violation for a field that the table refuses in every phase. */
function refusalOf(field: Field, cluster: Cluster): Violation[] {
  const rule = ruleOf(field, momentOf(cluster));
  if (rule.is !== "refused" || rule.why === "state" || rule.why === "busy") return [];
  const message = rule.why === "immutable" ? `field '${field}' is immutable` : rule.why;
  return [{ field, message }];
}
