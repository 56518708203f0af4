import { floatingIpUses } from "../../at-site/at-site.ts";
import { firstSites } from "../../at-site/inside-clusters.ts";
import { AppError, type Violation } from "../../error.ts";
import { asClusterId, type ClusterId, newInfraId } from "../../id.ts";
import { claimQuota } from "../../kernel/claim/quota.ts";
import type { Deps } from "../../kernel/deps.ts";
import { parseLeniently, refuseViolations } from "../../kernel/input/parse.ts";
import type { ReferenceInput } from "../../kernel/input/reference.ts";
import type { Json } from "../../kernel/input/shape.ts";
import { infraKey } from "../../kernel/object/keys.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import { begun, onceEach } from "../../kernel/request/begun.ts";
import type { Built, Request } from "../../kernel/request/definition.ts";
import { memberOf } from "../../kernel/request/place.ts";
import { References } from "../../kernel/request/references.ts";
import type { Place } from "../../kernel/request/resolve.ts";
import { absent } from "../../kernel/store/store.ts";
import { fleetFor } from "../../placement/capacity/fleet.ts";
import { secretReference } from "../../ports/secrets/secrets.ts";
import {
  type ClusterInput,
  type ClusterSpecInput,
  clusterInputSchema,
} from "../cluster-template/order-input.ts";
import { readPools } from "../external-ip/address.ts";
import { poolsFor } from "../external-ip-pool/choose.ts";
import { namedPullSecret, pullSecretFault } from "../secret/pull-secret.ts";
import { refuseUnready, searchIn } from "../subnet/attaching.ts";
import { fromCatalogItem } from "./catalog-item.ts";
import { amountsOf, fieldOfDimension } from "./charge.ts";
import { domainFault } from "./domain.ts";
import { orderAutomatic } from "./external-ips.ts";
import type { NodeSets } from "./model.ts";
import { namedAttachment, refuseUnfit } from "./network-attachment.ts";
import { outsidePools, poolSiteOf, poolsAtSite } from "./outside-pools.ts";
import { refuseAtSites } from "./prefixes-at-sites.ts";
import { exclusive } from "./pull-secret.ts";
import { refuseBeyondHosts } from "./registered-hosts.ts";
import { resolveSpec } from "./spec.ts";
import { emptyStatus } from "./status.ts";

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
export async function built({
  deps,
  tenant,
  input,
  violations,
  storeEarly,
  ...request
}: Request<"cluster", ClusterInput>): Promise<Built<"cluster">> {
  const { spec } = input;
  const { project } = input.metadata;
  const fleet = begun(fleetFor(deps, tenant));
  const sites = begun(firstSites(deps));
  const unnamed = domainFault({ ...input.metadata, tenant });
  if (unnamed) violations.push(unnamed);
  const fault = spec.pull_secret && pullSecretFault(spec.pull_secret);
  if (fault) violations.push({ field: "spec.pull_secret", message: fault });
  const networks = searchIn(deps, { tenant, project });
  if (spec.network_attachment) void begun(networks(spec.network_attachment));
  const secrets = searchPullSecret(deps, { tenant, project });
  if (spec.pull_secret_secret !== undefined) void begun(secrets(spec.pull_secret_secret));
  const ordered = await fromCatalogItem(deps, tenant, spec, violations);
  const faults: Violation[] = [];
  const search = begun(ownPullSecret(secrets, ordered.spec, faults));
  const { network_attachment } = ordered.spec;
  const attaching =
    network_attachment && begun(namedAttachment(networks, network_attachment, faults));
  const known = ordered.spec.auto_external_ip_attachment
    ? begun(poolsFor(deps, tenant))
    : undefined;
  const looked =
    known &&
    begun(
      Promise.all([known, attaching]).then(([pools, at]) =>
        readPools(deps, poolsAtSite(pools, at?.stands_in.site), floatingIpUses.length),
      ),
    );
  const pullSecret = broughtAlong(deps, asClusterId(request.id), input);
  let nodeSets: NodeSets = {};
  const resolved = await resolveSpec(deps, tenant, ordered.spec, violations, {
    template: ordered.template,
    // The secret is stored while the host types are being read, because the order is hardly refused any more.
    nearly() {
      if (pullSecret && faults.length === 0) storeEarly?.(pullSecret);
    },
    sized(sets) {
      nodeSets = sets;
    },
  });
  const [named, attached] = await Promise.all([search, attaching]);
  if (attached && resolved) refuseUnfit(attached, resolved.spec, faults);
  const where = poolSiteOf(tenant, ordered.spec, attached?.stands_in.site);
  const [pools] = await Promise.all([
    known && outsidePools(deps, where, faults, known),
    resolved &&
      refuseAtSites(
        deps,
        { network: resolved.spec.network, isInSubnet: attached !== undefined },
        where,
        faults,
        sites,
      ),
    refuseBeyondHosts(new References(deps, tenant, faults), { nodeSets, where, fleet }),
  ]);
  violations.push(...faults);
  refuseViolations(violations);
  if (!resolved) throw new AppError("Internal", "an order was refused without saying why");
  if (attached) refuseUnready(attached);
  const { on_failure, release, template_revision } = resolved;
  const storage = resolved.has_storage ? { has_storage: true as const } : {};
  const whole = {
    ...resolved.spec,
    ...(ordered.item ? { catalog_item: ordered.item } : {}),
    ...(named ? { pull_secret_secret: named } : {}),
    ...(attached ? { network_attachment: attached.attachment } : {}),
    ...(pullSecret ? { pull_secret: pullSecret.reference } : {}),
  };
  // Each attempt claims a new name on hubs, because the last attempt may have failed over a name in
  // use.
  const infra_id = newInfraId(deps.random);
  return {
    spec: whole,
    status: emptyStatus(deps.clock.now()),
    record: {
      infra_id,
      template_revision,
      ...storage,
      ...(on_failure === "hold" ? { on_failure } : {}),
      release,
      observed: { node_pools: {} },
      published: false,
      charge: amountsOf({ spec: whole, ...storage }),
      ...(attached && { stands_in: attached.stands_in }),
    },
    writes: [{ put: { ...infraKey(infra_id), cluster: request.id }, if: absent }],
    async claim(cluster) {
      const [outside, quota] = await Promise.all([
        pools && orderAutomatic(deps, cluster, pools, await looked),
        claimQuota(deps, undefined, cluster, fieldOfDimension),
      ]);
      return {
        object: { ...cluster, ...(outside && { automatic_ips: outside.ips }) },
        writes: [...quota, ...(outside?.writes ?? [])],
      };
    },
    ...(pullSecret && { secret: pullSecret }),
  };
}
type PullSecretSearch = (named: ReferenceInput) => Promise<[Reference | undefined, Violation[]]>;

const secretField = "spec.pull_secret_secret";

/** Searches for secret objects in an order's project, with their faults. */
const searchPullSecret = (deps: Deps, place: Place): PullSecretSearch =>
  onceEach(async (named) => {
    const faults: Violation[] = [];
    return [await namedPullSecret(deps, place, named, secretField, faults), faults];
  });

/** The secret object that an order names as its pull secret; it has to be in the order's own project. */
async function ownPullSecret(
  search: PullSecretSearch,
  { pull_secret, pull_secret_secret: named }: ClusterSpecInput,
  violations: Violation[],
): Promise<Reference | undefined> {
  if (named === undefined) return undefined;
  if (pull_secret) violations.push({ field: secretField, message: exclusive });
  const [found, faults] = await search(named);
  violations.push(...faults);
  return found;
}

/**
 * The pull secret in an order. Its reference is new: a client may choose the id of an existing cluster, whose
 * secret must not be overwritten.
 */
function broughtAlong(deps: Deps, id: ClusterId, input: ClusterInput) {
  const value = input.spec.pull_secret;
  if (!value) return undefined;
  const own = secretReference.pullSecret(id);
  return { reference: input.id === undefined ? own : `${own}/${deps.newId()}`, value };
}
