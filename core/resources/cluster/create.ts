import { firstSites } from "../../at-site/inside-clusters.ts";
import { timestamp } from "../../clock.ts";
import { AppError, type Violation } from "../../error.ts";
import { asClusterId, type ClusterId, newInfraId } from "../../id.ts";
import { claimQuota } from "../../kernel/claim/quota.ts";
import type { Deps } from "../../kernel/deps.ts";
import { createdEvent } from "../../kernel/events/outbox.ts";
import { asNew } from "../../kernel/events/rewrite.ts";
import { parseLeniently, refuseViolations } from "../../kernel/input/parse.ts";
import type { Json } from "../../kernel/input/shape.ts";
import { infraKey } from "../../kernel/object/keys.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import { putNew } from "../../kernel/object/records.ts";
import { refuseTooLarge } from "../../kernel/object/size.ts";
import { refusedUse } from "../../kernel/object/uses.ts";
import { begun } from "../../kernel/request/begun.ts";
import { type Caller, checkProject, tenantFor } from "../../kernel/request/caller.ts";
import {
  type Accepted,
  type CreateOptions,
  newMetadata,
  refuseChosen,
  refuseTaken,
  refuseTooMuch,
} from "../../kernel/request/checks.ts";
import { acceptedBefore, onceUnder, remember } from "../../kernel/request/idempotency.ts";
import { memberOf } from "../../kernel/request/place.ts";
import { References } from "../../kernel/request/references.ts";
import type { Place } from "../../kernel/request/resolve.ts";
import { SecretsOfRequest } from "../../kernel/request/secrets-of-request.ts";
import { tenantWrites } from "../../kernel/request/tenant.ts";
import { newOperation } from "../../kernel/saga/new-operation.ts";
import type { Operation } from "../../kernel/saga/operation.ts";
import { oncePerCounter } from "../../kernel/store/once-per-counter.ts";
import { optimistically } from "../../kernel/store/optimistically.ts";
import { absent, type TransactionRefused, type Write } from "../../kernel/store/store.ts";
import { fleetFor } from "../../placement/capacity/fleet.ts";
import { manyAtOnce } from "../../ports/ipam/own/numbers.ts";
import { secretReference } from "../../ports/secrets/secrets.ts";
import {
  type ClusterInput,
  type ClusterSpecInput,
  clusterInputSchema,
} from "../cluster-template/order-input.ts";
import { poolsFor } from "../external-ip-pool/choose.ts";
import type { ExternalIpPool } from "../external-ip-pool/model.ts";
import { namedPullSecret, pullSecretFault } from "../secret/pull-secret.ts";
import { refuseUnready } from "../subnet/attaching.ts";
import { fromCatalogItem } from "./catalog-item.ts";
import { charged, fieldOfDimension } from "./charge.ts";
import { domainFault } from "./domain.ts";
import { orderAutomatic } from "./external-ips.ts";
import type { Cluster, ClusterSpec, NodeSets } from "./model.ts";
import { namedAttachment, refuseUnfit } from "./network-attachment.ts";
import { operated } from "./operated.ts";
import { outsidePools, whereOf } from "./outside-pools.ts";
import { refuseAtSites } from "./prefixes-at-sites.ts";
import { exclusive } from "./pull-secret.ts";
import { refuseBeyondHosts } from "./registered-hosts.ts";
import { clusterSagas } from "./sagas.ts";
import { type Resolved, resolveSpec } from "./spec.ts";
import { emptyStatus } from "./status.ts";

/**
 * Accepts an order for a cluster: object, name, name on hubs, quota, operation and Idempotency-Key in
 * one transaction. `body` is in the schema's names. Throws Invalid with every violation,
 * AlreadyExists, IdempotencyMismatch, QuotaExceeded, Forbidden.
 */
export async function createCluster(
  deps: Deps,
  caller: Caller,
  body: Json,
  { idempotency }: CreateOptions = {},
): Promise<Accepted<"cluster">> {
  const { store, clock } = deps;
  if (idempotency) {
    const replay = await acceptedBefore<"cluster">(deps, caller, idempotency, clock.now());
    if (replay) return answerOf(replay, true);
  }
  return SecretsOfRequest.around(deps.secrets, async (secrets) => {
    const { cluster, chosen, pools } = await checked(deps, caller, body, secrets);
    refuseTooLarge(deps.kinds, cluster);
    const taken = { id: cluster.id, chosen, metadata: cluster.metadata };
    await secrets.stored();
    let isNew = true;
    return optimistically(
      store,
      () => {
        const now = clock.now();
        const isFirst = isNew;
        isNew = false;
        return onceUnder(deps, caller, idempotency, now, {
          isNew: isFirst,
          replay: (object: Cluster) => ({ writes: [], result: answerOf(object, true) }),
          accept: async () => {
            await refuseTaken(deps, "cluster", taken);
            const operation = createOperation(deps, caller, cluster);
            // Each try takes another name on hubs, because a taken name may be the reason for the
            // retry.
            const named = { ...cluster, infra_id: newInfraId(deps.random) };
            const [outside, quota] = await Promise.all([
              pools && orderAutomatic(deps, named, pools),
              claimQuota(deps, undefined, named, fieldOfDimension),
            ]);
            const whole = { ...named, ...(outside && { automatic_ips: outside.ips }) };
            const object = asNew(deps.kinds, operated.started(whole, operation.id), now);
            const writes = oncePerCounter([
              ...putNew(deps.kinds, object),
              { put: { ...infraKey(object.infra_id), cluster: object.id }, if: absent },
              ...quota,
              // Read after the account, which changes when the tenant is deleted.
              ...(await tenantWrites(deps, cluster.metadata.tenant)),
              ...putNew(deps.kinds, operation),
              ...(idempotency ? [remember(caller.tenant, idempotency, object, now)] : []),
              ...(outside?.writes ?? []),
            ]);
            refuseTooMuch(writes);
            return { writes, result: answerOf(object, false) };
          },
        });
      },
      refuseGone,
      pools && manyAtOnce,
    );
  });
}

/** The operation that provisions a cluster, also for a retry, which adopts what was not given back. */
export function createOperation(deps: Deps, caller: Caller, target: Cluster): Operation {
  const request = {
    saga: clusterSagas.create,
    change: "CREATE",
    target,
    creator: caller.user,
  } as const;
  const hold = target.on_failure === "hold" ? { hold: true } : {};
  const adopts = target.failure?.given_back === false ? { adopts: true } : {};
  return { ...newOperation(deps, request), ...hold, ...adopts };
}

/**
 * Throws Conflict when an object that the order was checked against was deleted meanwhile; a repeated
 * request learns which one.
 */
function refuseGone(refusal: TransactionRefused, writes: Write[]): void {
  if (refusedUse(refusal, writes))
    throw new AppError("Conflict", "something the order refers to was just deleted; try again");
}

function answerOf(object: Cluster, replayed: boolean): Accepted<"cluster"> {
  return { object, replayed, ...(object.operation ? { operation: object.operation } : {}) };
}

const specSchema = clusterInputSchema.shape.spec;
// Built once, because a schema is compiled on first use.
const placeSchema = clusterInputSchema.shape.metadata.partial();

/** An order in which no fault was found so far. */
interface Checked {
  cluster: Cluster;
  /** Whether the client chose the id. */
  chosen: boolean;
  /** The pools of which it can have its outside addresses; undefined where it gets those of its own. */
  pools: ExternalIpPool[] | undefined;
}

async function checked(
  deps: Deps,
  caller: Caller,
  body: Json,
  secrets: SecretsOfRequest,
): Promise<Checked> {
  const { value, violations } = parseLeniently(clusterInputSchema, body);
  // Without a name or a spec the input as a whole is invalid; its other parts can still be checked.
  const spec = value?.spec ?? parseLeniently(specSchema, memberOf(body, "spec")).value ?? {};
  const place = parseLeniently(placeSchema, memberOf(body, "metadata")).value;
  refuseChosen(caller, value ?? {}, violations);
  const tenant = tenantFor(caller, place?.tenant);
  const project = place?.project;
  const fleet = begun(fleetFor(deps, tenant));
  const sites = begun(firstSites(deps));
  await checkProject(deps, caller, tenant, project, violations);
  const unnamed = domainFault({ name: "", ...place, tenant });
  if (unnamed) violations.push(unnamed);
  const fault = spec.pull_secret && pullSecretFault(spec.pull_secret);
  if (fault) violations.push({ field: "spec.pull_secret", message: fault });
  const ordered = await fromCatalogItem(deps, tenant, spec, violations);
  const faults: Violation[] = [];
  const search = begun(ownPullSecret(deps, { tenant, project }, ordered.spec, faults));
  const { network_attachment } = ordered.spec;
  const attaching =
    network_attachment &&
    begun(namedAttachment(deps, { tenant, project }, network_attachment, faults));
  const looked = ordered.spec.auto_external_ip_attachment
    ? begun(poolsFor(deps, tenant))
    : undefined;
  const id = asClusterId(value?.id ?? deps.newId());
  const pullSecret = broughtAlong(deps, id, value);
  let nodeSets: NodeSets = {};
  const resolved = await resolveSpec(deps, tenant, ordered.spec, violations, {
    template: ordered.template,
    // The secret is stored while the host types are read: the request is unlikely to be refused from
    // here on.
    nearly() {
      if (pullSecret && faults.length === 0) secrets.begin(pullSecret);
    },
    sized(sets) {
      nodeSets = sets;
    },
  });
  const [named, attached] = await Promise.all([search, attaching]);
  if (attached && resolved) refuseUnfit(attached, resolved.spec, faults);
  const where = whereOf(tenant, ordered.spec, attached?.stands_in.site);
  const [pools] = await Promise.all([
    looked && outsidePools(deps, where, faults, looked),
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
  refuseViolations([...violations, ...faults]);
  if (!value || !resolved)
    throw new AppError("Internal", "an order was refused without saying why");
  const more = {
    ...(ordered.item ? { catalog_item: ordered.item } : {}),
    ...(named ? { pull_secret_secret: named } : {}),
    ...(attached ? { network_attachment: attached.attachment } : {}),
    ...(pullSecret ? { pull_secret: pullSecret.reference } : {}),
  };
  const whole = { ...resolved, spec: { ...resolved.spec, ...more } };
  if (attached) refuseUnready(attached);
  const cluster = {
    ...newCluster(deps, caller, { id, input: value, resolved: whole, tenant }),
    ...(attached && { stands_in: attached.stands_in }),
  };
  return { cluster: charged(cluster), chosen: value.id !== undefined, pools };
}

/** The secret object, in the order's own project, that the order names for its pull secret. */
async function ownPullSecret(
  deps: Deps,
  place: Place,
  { pull_secret, pull_secret_secret: named }: ClusterSpecInput,
  violations: Violation[],
): Promise<Reference | undefined> {
  if (named === undefined) return undefined;
  const field = "spec.pull_secret_secret";
  if (pull_secret)
    violations.push({
      field,
      message: exclusive,
    });
  return namedPullSecret(deps, place, named, field, violations);
}

interface NewCluster {
  id: ClusterId;
  input: ClusterInput;
  resolved: Resolved & { spec: ClusterSpec };
  tenant: string;
}

function newCluster(
  deps: Deps,
  caller: Caller,
  { id, input, resolved, tenant }: NewCluster,
): Cluster {
  const now = deps.clock.now();
  const cluster: Cluster = {
    kind: "cluster",
    id,
    metadata: newMetadata(input.metadata, caller, tenant, timestamp(now)),
    generation: 0,
    revision: 1,
    spec: resolved.spec,
    status: emptyStatus(now),
    infra_id: newInfraId(deps.random),
    template_revision: resolved.template_revision,
    ...(resolved.has_storage ? { has_storage: true } : {}),
    ...(resolved.on_failure === "hold" ? { on_failure: resolved.on_failure } : {}),
    release: resolved.release,
    observed: { node_pools: {} },
    published: false,
    event: createdEvent("cluster", timestamp(now)),
  };
  return asNew(deps.kinds, cluster, now);
}

/**
 * The pull secret that an order brings. A client may have chosen the id of another cluster, so the
 * secret gets a reference of its own and cannot overwrite the other cluster's.
 */
function broughtAlong(deps: Deps, id: ClusterId, input: ClusterInput | undefined) {
  const value = input?.spec.pull_secret;
  if (!value) return undefined;
  const own = secretReference.pullSecret(id);
  return { reference: input.id === undefined ? own : `${own}/${deps.newId()}`, value };
}
