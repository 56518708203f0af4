import { firstSites } from "../../at-site/inside-clusters.ts";
import { AppError, type Violation } from "../../error.ts";
import { asClusterId, newInfraId } from "../../id.ts";
import { claimQuota } from "../../kernel/claim/quota.ts";
import type { Deps } from "../../kernel/deps.ts";
import type { Written } from "../../kernel/events/rewrite.ts";
import { parseLeniently, refuseViolations } from "../../kernel/input/parse.ts";
import type { Json } from "../../kernel/input/shape.ts";
import { infraKey } from "../../kernel/object/keys.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import { begun } from "../../kernel/request/begun.ts";
import type { Built, Request } from "../../kernel/request/definition.ts";
import { memberOf } from "../../kernel/request/place.ts";
import { References } from "../../kernel/request/references.ts";
import type { Secret } from "../../kernel/request/secrets-of-request.ts";
import { absent } from "../../kernel/store/store.ts";
import { fleetFor } from "../../placement/capacity/fleet.ts";
import type { Constraints } from "../../placement/hubs/candidate.ts";
import type { SecretDeps } from "../../ports/secrets/secrets.ts";
import { type ClusterInput, clusterInputSchema } from "../cluster-template/order-input.ts";
import type { ExternalIpPool } from "../external-ip-pool/model.ts";
import { pullSecretFault } from "../secret/pull-secret.ts";
import { type Attaching, refuseUnready, searchIn } from "../subnet/attaching.ts";
import { fromCatalogItem } from "./catalog-item.ts";
import { clusterAmounts, clusterFieldOf } from "./charge.ts";
import { domainFault } from "./domain.ts";
import { orderAutomatic } from "./external-ips.ts";
import type { Cluster, ClusterSpec, NodeSets } from "./model.ts";
import { orderedAttachment, refuseUnfit } from "./network-attachment.ts";
import { type OutsideSearch, outsidePools, poolSiteOf, searchOutside } from "./outside-pools.ts";
import { refuseAtSites } from "./prefixes-at-sites.ts";
import { broughtPullSecret, ownPullSecret, searchPullSecret } from "./pull-secret.ts";
import { refuseBeyondHosts } from "./registered-hosts.ts";
import { type Resolved, resolveSpec } from "./spec.ts";
import { newClusterStatus } from "./status.ts";

/** Orders for clusters. */

const specSchema = clusterInputSchema.shape.spec;
// Built once: a schema is compiled on first use.
const placeSchema = clusterInputSchema.shape.metadata.partial();

/**
 * The valid parts of an order without a name or a spec, so that one answer can report the violations of all
 * parts.
 */
export function asFarAsValid(body: Json): ClusterInput {
  const { name = "", ...place } =
    parseLeniently(placeSchema, memberOf(body, "metadata")).value ?? {};
  const spec = parseLeniently(specSchema, memberOf(body, "spec")).value ?? {};
  return { metadata: { ...place, name }, spec };
}

/** A new cluster. Throws Invalid with every violation, and FailedPrecondition for a network that cannot be used now. */
export async function builtCluster(
  request: Request<"cluster", ClusterInput, SecretDeps>,
): Promise<Built<"cluster">> {
  const { deps, id, tenant, input, violations, storeEarly } = request;
  const search = beginSearches(deps, tenant, input);
  violations.push(...valueFaults(tenant, input));
  const ordered = await fromCatalogItem(deps, tenant, input.spec, violations);
  const { spec } = ordered;
  const faults: Violation[] = [];
  const naming = begun(ownPullSecret(search.secrets, spec, faults));
  const attaching = begun(orderedAttachment(search.networks, spec, faults));
  const outside = spec.auto_external_ip_attachment
    ? searchOutside(
        deps,
        tenant,
        attaching.then((found) => found?.stands_in.site),
      )
    : undefined;
  const brought = broughtPullSecret(deps, asClusterId(id), input);
  let nodeSets: NodeSets = {};
  const resolved = await resolveSpec(deps, tenant, spec, violations, {
    template: ordered.template,
    // The secret is stored while the host types are being read, because the order is hardly refused any more.
    nearly() {
      if (brought && faults.length === 0) storeEarly?.(brought);
    },
    sized(sets) {
      nodeSets = sets;
    },
  });
  const [named, attached] = await Promise.all([naming, attaching]);
  if (attached && resolved) refuseUnfit(attached, resolved.spec, faults);
  const where = poolSiteOf(tenant, spec, attached?.stands_in.site);
  const pools = await refuseNowhere(deps, where, faults, {
    ...{ search, outside, nodeSets, network: resolved?.spec.network },
    isInSubnet: attached !== undefined,
  });
  violations.push(...faults);
  refuseViolations(violations);
  if (!resolved) throw new AppError("Internal", "an order was refused without saying why");
  if (attached) refuseUnready(attached);
  // Each attempt claims a new name on hubs, because the last attempt may have failed over a name in use.
  const infra_id = newInfraId(deps.random);
  const parts = { resolved, item: ordered.item, named, attached, brought };
  return {
    ...recordOf(parts, infra_id),
    status: newClusterStatus(deps.clock.now()),
    writes: [{ put: { ...infraKey(infra_id), cluster: id }, if: absent }],
    claim: (cluster) => claimed(deps, cluster, pools, outside),
    ...(brought && { secret: brought }),
  };
}

/** Begins the reads that an order needs whatever its offer and its template say. */
function beginSearches(deps: SecretDeps, tenant: string, { spec, metadata }: ClusterInput) {
  const place = { tenant, project: metadata.project };
  const fleet = begun(fleetFor(deps, tenant));
  const sites = begun(firstSites(deps));
  const networks = searchIn(deps, place);
  if (spec.network_attachment) void begun(networks(spec.network_attachment));
  const secrets = searchPullSecret(deps, place);
  if (spec.pull_secret_secret !== undefined) void begun(secrets(spec.pull_secret_secret));
  return { fleet, sites, networks, secrets };
}

/** The faults of values that need no other object. */
export function valueFaults(tenant: string, { metadata, spec }: ClusterInput): Violation[] {
  const unnamed = domainFault({ ...metadata, tenant });
  const message = spec.pull_secret && pullSecretFault(spec.pull_secret);
  return [
    ...(unnamed ? [unnamed] : []),
    ...(message ? [{ field: "spec.pull_secret", message }] : []),
  ];
}

interface PlaceChecks {
  search: Pick<ReturnType<typeof beginSearches>, "fleet" | "sites">;
  outside: OutsideSearch | undefined;
  nodeSets: NodeSets;
  /** Undefined for an order that is refused already. */
  network: ClusterSpec["network"] | undefined;
  isInSubnet: boolean;
}

/**
 * Adds a violation for each reason why no hub or site can ever serve the order. Answers the pools for its external IPs,
 * if it has any.
 */
async function refuseNowhere(
  deps: Deps,
  where: Constraints,
  violations: Violation[],
  { search, outside, nodeSets, network, isInSubnet }: PlaceChecks,
): Promise<ExternalIpPool[] | undefined> {
  const { sites, fleet } = search;
  const check = new References(deps, where.tenant, violations);
  const [pools] = await Promise.all([
    outside && outsidePools(deps, where, violations, outside.pools),
    network && refuseAtSites(deps, { network, isInSubnet }, where, violations, sites),
    refuseBeyondHosts(check, { nodeSets, where, fleet }),
  ]);
  return pools;
}

/** Claims an accepted cluster's external IPs from these pools, and its share of the quotas. */
async function claimed(
  deps: Deps,
  cluster: Cluster,
  pools: ExternalIpPool[] | undefined,
  outside: OutsideSearch | undefined,
): Promise<Written<Cluster>> {
  const [automatic, quota] = await Promise.all([
    pools && orderAutomatic(deps, cluster, pools, await outside?.read),
    claimQuota(deps, undefined, cluster, clusterFieldOf),
  ]);
  return {
    object: { ...cluster, ...(automatic && { automatic_ips: automatic.ips }) },
    writes: [...quota, ...(automatic?.writes ?? [])],
  };
}

/** What an order was found to name, without faults. */
interface Parts {
  resolved: Resolved;
  item: Reference | undefined;
  /** The secret object with its pull secret. */
  named: Reference | undefined;
  /** The pull secret in the order itself. */
  brought: Pick<Secret, "reference"> | undefined;
  attached: Pick<Attaching, "attachment" | "stands_in"> | undefined;
}

/** The spec and the record of a new cluster. Pure. */
export function recordOf(
  { resolved, item, named, brought, attached }: Parts,
  infra_id: string,
): Pick<Built<"cluster">, "spec" | "record"> {
  const { on_failure, release, template_revision } = resolved;
  const storage = resolved.has_storage ? { has_storage: true as const } : {};
  const spec = {
    ...resolved.spec,
    ...(item ? { catalog_item: item } : {}),
    ...(named ? { pull_secret_secret: named } : {}),
    ...(attached ? { network_attachment: attached.attachment } : {}),
    ...(brought ? { pull_secret: brought.reference } : {}),
  };
  return {
    spec,
    record: {
      ...{ infra_id, template_revision, ...storage },
      ...(on_failure === "hold" ? { on_failure } : {}),
      release,
      observed: { node_pools: {} },
      published: false,
      charge: clusterAmounts({ spec, ...storage }),
      ...(attached && { stands_in: attached.stands_in }),
    },
  };
}
