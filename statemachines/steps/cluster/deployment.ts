import { ownerOf } from "../../../core/at-site/owner.ts";
import { AppError } from "../../../core/error.ts";
import { sshKeyAlone } from "../../../core/kernel/input/ssh-key.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { Context, StepDeps } from "../../../core/kernel/saga/context.ts";
import { heldHosts } from "../../../core/placement/reserve/release.ts";
import type { Deployment, Workers } from "../../../core/ports/hub/clusters/port.ts";
import type { HubClient } from "../../../core/ports/hub/hub.ts";
import { secretReference } from "../../../core/ports/secrets/secrets.ts";
import { domainOf } from "../../../core/resources/cluster/domain.ts";
import {
  type Cluster,
  type NodeSets,
  nodePoolName,
  wantedNodeSets,
} from "../../../core/resources/cluster/model.ts";
import { withReplacements } from "../../../core/resources/cluster/replacing.ts";
import { defaultPrefixes } from "../../../core/resources/cluster-template/prefixes.ts";
import { releaseOf } from "../../../core/resources/cluster-version/release.ts";
import type { Hub } from "../../../core/resources/hub/model.ts";
import { pullSecretIn } from "../../../core/resources/secret/pull-secret.ts";

/** Shared by the steps on a cluster: its hub, and the deployment there. */

/** The node sets that a step works towards: the desired ones, or in an undo the previous ones. */
export type NodeSetSelector = (cluster: Cluster) => NodeSets;

/** The node sets after the last operation that succeeded. */
export const previousNodeSets: NodeSetSelector = ({ applied = {} }) => applied;

/** The desired node sets, with leaving hosts and their replacements side by side. */
export const nodeSetsInReplacement: NodeSetSelector = (cluster) =>
  withReplacements(cluster, wantedNodeSets(cluster));

/** The cluster's node pools on the hub that belong to none of these node sets. */
export const otherPools = ({ observed }: Cluster, nodeSets: NodeSets): string[] =>
  Object.entries(observed.node_pools).flatMap(([name, { gone }]) =>
    gone || Object.hasOwn(nodeSets, name) ? [] : [name],
  );

/** The client of the cluster's hub; undefined when the cluster is not placed. */
export async function hubOf(
  { placement }: Cluster,
  { deps }: Context<StepDeps>,
): Promise<HubClient | undefined> {
  return placement && deps.hubs.client(placement.hub);
}

/** `hubOf` for steps after the reservation, where a hub must exist. */
export async function mustHaveHub(
  cluster: Cluster,
  context: Context<StepDeps>,
): Promise<HubClient> {
  const hub = await hubOf(cluster, context);
  if (!hub) throw new AppError("Internal", "the cluster is not placed");
  return hub;
}

/** The base domain of a hub. No cluster is placed on a hub without one. */
export function baseDomainOf({ id, spec }: Hub): string {
  if (spec.base_domain === undefined)
    throw new AppError("Internal", `hub ${id} has no base domain`);
  return spec.base_domain;
}

/** The address of the API, if one is claimed at the site. */
const apiOf = ({ site }: Cluster): Pick<Deployment, "api"> =>
  site?.network ? { api: { address: site.network.api, ...hostnameOf(site.domain) } } : {};

const hostnameOf = (domain: string | undefined): { hostname?: string } =>
  domain === undefined ? {} : { hostname: `api.${domain}` };

/**
 * The deployment of a cluster on its hub, with these node sets. Secrets are read here, just before they
 * are sent. Throws Rejected when there is no pull secret.
 */
export async function deploymentOf(
  deps: StepDeps,
  cluster: Cluster,
  nodeSets: NodeSets,
): Promise<Deployment> {
  const pullSecret = await pullSecretOf(deps, cluster);
  const here = cluster.site && (await deps.sites.systems(cluster.site.id));
  const identityProvider = await here?.identityProvider?.();
  return {
    ...(await workersOf(deps, cluster, nodeSets)),
    pullSecret,
    ...(identityProvider && { identityProvider }),
  };
}

/**
 * The data from which a cluster's node pools are made. Separate from the deployment, because a worker at a site
 * may read only this.
 */
export async function workersOf(
  deps: StepDeps,
  cluster: Cluster,
  nodeSets: NodeSets,
): Promise<Workers> {
  const { placement, spec } = cluster;
  if (!placement) throw new AppError("Internal", "the cluster is not placed");
  const hub = await mustLoad(deps, "hub", placement.hub);
  const held = await heldHosts(deps, cluster);
  const leaving = new Set<string>(placement.leaving);
  return {
    ...ownerOf(cluster),
    givenName: cluster.metadata.name,
    ...apiOf(cluster),
    baseDomain: domainOf(cluster, baseDomainOf(hub)),
    releaseImage: cluster.release.image,
    podCidr: spec.network.pod_cidr ?? defaultPrefixes.pod_cidr,
    serviceCidr: spec.network.service_cidr ?? defaultPrefixes.service_cidr,
    ...(spec.ssh_public_key === undefined
      ? {}
      : { sshPublicKey: sshKeyAlone(spec.ssh_public_key) }),
    nodeSets: Object.entries(nodeSets).map(([name, set]) => ({
      name,
      nodePool: nodePoolName(cluster, name),
      size: set.size,
      releaseImage: releaseOf(cluster, name).image,
      agents: held.flatMap((row) =>
        row.set === name && row.host.status.agent && !leaving.has(row.host.id)
          ? [row.host.status.agent.name]
          : [],
      ),
    })),
  };
}

/** The order's own pull secret, else that of the secret object that the order names, else the provider's. */
async function pullSecretOf(deps: StepDeps, { id, spec }: Cluster): Promise<string> {
  const { secrets } = deps;
  const { pull_secret, pull_secret_secret: named } = spec;
  const own = pull_secret ?? secretReference.providerPullSecret;
  const pullSecret = named
    ? await pullSecretIn(secrets, await mustLoad(deps, "secret", named.id))
    : await secrets.get(own);
  if (pullSecret !== undefined) return pullSecret;
  // The pull secret may have been replaced and removed since the record was read.
  const now = await mustLoad(deps, "cluster", id);
  if (now.spec.pull_secret !== pull_secret) return pullSecretOf(deps, now);
  const why = named
    ? `the secret '${named.name}' has none any more`
    : "the order brought none and the provider has none";
  throw new AppError("Rejected", `there is no pull secret: ${why}`);
}
