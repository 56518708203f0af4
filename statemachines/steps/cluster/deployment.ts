import { AppError } from "../../../core/error.ts";
import type { Deps } from "../../../core/kernel/deps.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { Context } from "../../../core/kernel/saga/context.ts";
import { heldHosts } from "../../../core/placement/release.ts";
import type { Deployment } from "../../../core/ports/hub/clusters/port.ts";
import type { HubClient } from "../../../core/ports/hub/hub.ts";
import { secretReference } from "../../../core/ports/secrets/secrets.ts";
import { domainOf } from "../../../core/resources/cluster/domain.ts";
import {
  type Cluster,
  type NodeSets,
  nodePoolName,
} from "../../../core/resources/cluster/model.ts";
import { releaseOf } from "../../../core/resources/cluster-version/release.ts";
import type { Hub } from "../../../core/resources/hub/model.ts";
import { pullSecretIn } from "../../../core/resources/secret/pull-secret.ts";
import { ownerOf } from "../../../core/resources/site/owner.ts";

/** What steps on a cluster share: its hub, and what is to be deployed there. */

/** Node sets that a step works towards: those wanted, or in an undo the former ones. */
export type NodeSetSelector = (cluster: Cluster) => NodeSets;

/** What the last operation that succeeded left behind. */
export const previousNodeSets: NodeSetSelector = ({ applied = {} }) => applied;

/** Node pools on the hub of node sets that are not among these. */
export const otherPools = ({ observed }: Cluster, nodeSets: NodeSets): string[] =>
  Object.entries(observed.node_pools).flatMap(([name, { gone }]) =>
    gone || Object.hasOwn(nodeSets, name) ? [] : [name],
  );

/** The client of the hub that the cluster is placed on; undefined when it is placed nowhere. */
export async function hubOf(
  { placement }: Cluster,
  { deps }: Context,
): Promise<HubClient | undefined> {
  return placement && deps.hubs.client(placement.hub);
}

/** For steps after the reservation. */
export async function mustHaveHub(cluster: Cluster, context: Context): Promise<HubClient> {
  const hub = await hubOf(cluster, context);
  if (!hub) throw new AppError("Internal", "the cluster is not placed");
  return hub;
}

/** Of a hub that has clusters, which had none before it had one. */
export function baseDomainOf({ id, spec }: Hub): string {
  if (spec.base_domain === undefined)
    throw new AppError("Internal", `hub ${id} has no base domain`);
  return spec.base_domain;
}

/** Where the API is to be found, as far as its site has given it a place. */
const apiOf = ({ site }: Cluster): Pick<Deployment, "api"> =>
  site?.network ? { api: { address: site.network.api, ...hostnameOf(site.domain) } } : {};

const hostnameOf = (domain: string | undefined): { hostname?: string } =>
  domain === undefined ? {} : { hostname: `api.${domain}` };

/** HyperShift's own defaults; what the installer documents. */
const podCidr = "10.128.0.0/14";
const serviceCidr = "172.30.0.0/16";

/**
 * Everything the hub is to run, with these node sets.
 * Secrets are read here, on their way out. Throws Rejected when there is no pull secret.
 */
export async function deploymentOf(
  deps: Deps,
  cluster: Cluster,
  nodeSets: NodeSets,
): Promise<Deployment> {
  const { placement, spec } = cluster;
  if (!placement) throw new AppError("Internal", "the cluster is not placed");
  const hub = await mustLoad(deps, "hub", placement.hub);
  const pullSecret = await pullSecretOf(deps, cluster);
  const held = await heldHosts(deps, cluster);
  const leaving = new Set<string>(placement.leaving);
  const here = cluster.site && (await deps.sites.systems(cluster.site.id));
  const identityProvider = await here?.identityProvider?.();
  return {
    ...ownerOf(cluster),
    givenName: cluster.metadata.name,
    ...apiOf(cluster),
    baseDomain: domainOf(cluster, baseDomainOf(hub)),
    releaseImage: cluster.release.image,
    podCidr: spec.network.pod_cidr ?? podCidr,
    serviceCidr: spec.network.service_cidr ?? serviceCidr,
    pullSecret,
    ...(identityProvider && { identityProvider }),
    ...(spec.ssh_public_key === undefined ? {} : { sshPublicKey: spec.ssh_public_key }),
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

/** The order's own, that of the secret it names, else the provider's. */
async function pullSecretOf(deps: Deps, { id, spec }: Cluster): Promise<string> {
  const { secrets } = deps;
  const { pull_secret, pull_secret_secret: named } = spec;
  const own = pull_secret ?? secretReference.providerPullSecret;
  const pullSecret = named
    ? await pullSecretIn(secrets, await mustLoad(deps, "secret", named.id))
    : await secrets.get(own);
  if (pullSecret !== undefined) return pullSecret;
  // One that was replaced since the record was read is there no more.
  const now = await mustLoad(deps, "cluster", id);
  if (now.spec.pull_secret !== pull_secret) return pullSecretOf(deps, now);
  const why = named
    ? `the secret '${named.name}' has none any more`
    : "the order brought none and the provider has none";
  throw new AppError("Rejected", `there is no pull secret: ${why}`);
}
