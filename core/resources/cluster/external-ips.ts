import { isDeepStrictEqual } from "node:util";
import { timestamp } from "../../clock.ts";
import { AppError } from "../../error.ts";
import { newInfraId } from "../../id.ts";
import type { Deps } from "../../kernel/deps.ts";
import { createdEvent, withLastEvent } from "../../kernel/events/outbox.ts";
import { rewritten } from "../../kernel/events/rewrite.ts";
import { infraKey } from "../../kernel/object/keys.ts";
import type { Metadata } from "../../kernel/object/metadata.ts";
import type { Kind } from "../../kernel/object/object.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import { archive, load, mustLoad, putChanged, putNew } from "../../kernel/object/records.ts";
import { useWrites } from "../../kernel/object/uses.ts";
import { referenceTo } from "../../kernel/request/resolve.ts";
import { optimisticallyFenced } from "../../kernel/store/optimistically.ts";
import { absent, type Check, exists, type Write } from "../../kernel/store/store.ts";
import { claimAddresses, releaseAddress } from "../external-ip/address.ts";
import { mostFree } from "../external-ip-pool/choose.ts";
import type { ExternalIpPool } from "../external-ip-pool/model.ts";
import { type FloatingIpUse, floatingIpUses } from "../site/at-site.ts";
import { donePart, type PartStatus, withPart } from "../site/parts.ts";
import type { AutomaticIp, AutomaticIps, Cluster } from "./model.ts";

type ExternalIp = ObjectOf["external_ip"];
type ExternalIpAttachment = ObjectOf["external_ip_attachment"];

/**
 * External IPs that come with a cluster, each with the attachment that has it lead to an endpoint. The order of the
 * cluster makes them, and what makes and removes the cluster has them lead there and removes them. The cluster uses
 * them, so nobody else deletes them.
 */

/** What OSAC's clients know them by. */
const labels = { "osac.openshift.io/auto-created": "true" };
const ownerAnnotation = "osac.openshift.io/owner-reference";

/**
 * The external IPs of a cluster that is ordered, with addresses of one of these pools, and the writes that make them and
 * their attachments. Throws FailedPrecondition where no pool has enough.
 */
export async function orderAutomatic(
  deps: Deps,
  cluster: Cluster,
  pools: readonly ExternalIpPool[],
): Promise<{ ips: AutomaticIps; writes: Write[] }> {
  const pool = await mostFree(deps, pools);
  if (!pool?.spec.site) throw new AppError("Internal", "there is no pool at a site");
  const ids = floatingIpUses.map(() => deps.newId());
  const { addresses, writes } = await claimAddresses(deps, pool, ids);
  const site = pool.spec.site.id;
  const now = deps.clock.now();
  const [api, ingress] = floatingIpUses.map((use, n) => {
    const [id = "", address = ""] = [ids[n], addresses[n]];
    return made(deps, cluster, use, { id, address, pool, site, now });
  });
  if (!api || !ingress) throw new AppError("Internal", "there is a use without an address");
  return {
    ips: { site, api: api.at, ingress: ingress.at },
    writes: [...writes, ...api.writes, ...ingress.writes],
  };
}

const endpoints = {
  api: "EXTERNAL_IP_ATTACHMENT_ENDPOINT_API",
  ingress: "EXTERNAL_IP_ATTACHMENT_ENDPOINT_INGRESS",
} as const satisfies Record<FloatingIpUse, unknown>;

interface NewAddress {
  /** The id of the external IP. */
  id: string;
  address: string;
  pool: ExternalIpPool;
  site: string;
  now: number;
}

/** An external IP and its attachment, as they are made. */
function made(
  deps: Deps,
  cluster: Cluster,
  use: FloatingIpUse,
  { id, address, pool, site, now }: NewAddress,
): { at: AutomaticIp; writes: Write[] } {
  const at = { attachment: deps.newId(), name: newInfraId(deps.random), address };
  const created = timestamp(now);
  const metadata = metadataOf(cluster, use, at.name, created);
  const ip: ExternalIp = {
    ...{ kind: "external_ip", id, metadata, generation: 0, revision: 1 },
    spec: { pool: referenceTo(pool) },
    status: { state: "EXTERNAL_IP_STATE_ALLOCATED", address, attached: true },
    attached_to: { kind: "external_ip_attachment", id: at.attachment },
    ...{ address, site, charge: {}, event: createdEvent("external_ip", created) },
  };
  const attachment: ExternalIpAttachment = {
    ...{ kind: "external_ip_attachment", id: at.attachment, metadata, generation: 0, revision: 1 },
    spec: {
      external_ip: referenceTo(ip),
      cluster: referenceTo(cluster),
      target_endpoint: endpoints[use],
    },
    status: { state: "EXTERNAL_IP_ATTACHMENT_STATE_PENDING", external_ip_address: address },
    site: withPart({ id: site, parts: {} }, "external_ip", waiting(cluster), now),
    ...{ infra_id: at.name, address, charge: {}, automatic: true },
    event: createdEvent("external_ip_attachment", created),
  };
  return {
    at: { ...at, external_ip: id },
    writes: [
      ...[ip, attachment].flatMap((each) =>
        putNew(deps.kinds, rewritten(deps.kinds, undefined, each, now)),
      ),
      { put: { ...infraKey(at.name), external_ip_attachment: attachment.id }, if: absent },
    ],
  };
}

/** They are in the cluster's tenant and project, and have the cluster's name in theirs. */
function metadataOf(
  { id, metadata: { name, tenant, project, creator } }: Cluster,
  use: FloatingIpUse,
  own: string,
  creation_timestamp: string,
): Metadata {
  const end = `-${use}-${own}`;
  return {
    name: `${name.slice(0, 63 - end.length)}${end}`,
    tenant,
    ...(project === undefined ? {} : { project }),
    labels,
    annotations: { [ownerAnnotation]: id },
    creator,
    creation_timestamp,
  };
}

const waiting = ({ metadata }: Cluster): PartStatus => ({
  state: "pending",
  message: `cluster '${metadata.name}' to be made`,
});

/** Writes that each leads to its endpoint. Harmless when repeated. */
export const noteAutomaticLeads = (deps: Deps, fence: Check[], ips: AutomaticIps): Promise<void> =>
  changeAttachments(deps, fence, ips, ({ site, ...attachment }) => ({
    ...attachment,
    made: true,
    ...(site && { site: withPart(site, "external_ip", donePart, deps.clock.now()) }),
  }));

/** Writes that they are being removed. Harmless when repeated. */
export const noteAutomaticGoes = (deps: Deps, fence: Check[], ips: AutomaticIps): Promise<void> =>
  changeAttachments(deps, fence, ips, ({ metadata, ...attachment }) => ({
    ...attachment,
    metadata: {
      ...metadata,
      deletion_timestamp: metadata.deletion_timestamp ?? timestamp(deps.clock.now()),
    },
  }));

const changeAttachments = (
  deps: Deps,
  fence: Check[],
  ips: AutomaticIps,
  change: (attachment: ExternalIpAttachment) => ExternalIpAttachment,
): Promise<void> =>
  optimisticallyFenced(deps.store, fence, async () => {
    const found = await attachmentsOf(deps, ips);
    const writes = found.flatMap((before) => {
      const after = rewritten(deps.kinds, before, change(before), deps.clock.now());
      return isDeepStrictEqual(after, before) ? [] : [putChanged(deps.kinds, after)];
    });
    return { writes, result: undefined };
  });

/**
 * Removes a cluster's external IPs with their attachments, which nothing outside has any more. Their addresses rest.
 * Each goes in a transaction of its own, since its labels go with it. Harmless when repeated.
 */
export async function removeAutomatic(deps: Deps, fence: Check[], id: string): Promise<void> {
  const { automatic_ips: ips } = await mustLoad(deps, "cluster", id);
  if (!ips) return;
  for (const use of floatingIpUses) {
    const { attachment, external_ip } = ips[use];
    await remove(deps, fence, "external_ip_attachment", attachment, async ({ infra_id }) => [
      { delete: infraKey(infra_id), if: exists },
    ]);
    await remove(deps, fence, "external_ip", external_ip, (ip) => releaseAddress(deps, ip));
  }
  await optimisticallyFenced(deps.store, fence, async () => {
    const before = await mustLoad(deps, "cluster", id);
    const { automatic_ips: had, ...rest } = before;
    if (!had) return { writes: [], result: undefined };
    const after = rewritten(deps.kinds, before, rest, deps.clock.now());
    const writes = [putChanged(deps.kinds, after), ...useWrites(deps.kinds, before, after)];
    return { writes, result: undefined };
  });
}

const remove = <K extends "external_ip" | "external_ip_attachment">(
  deps: Deps,
  fence: Check[],
  kind: K,
  id: string,
  more: (object: ObjectOf[K]) => Promise<Write[]>,
): Promise<void> =>
  optimisticallyFenced(deps.store, fence, async () => {
    const object = await load(deps, kind, id);
    if (!object) return { writes: [], result: undefined };
    const now = deps.clock.now();
    const gone = archive(deps.kinds, withLastEvent<ObjectOf[Kind]>(object, now), now);
    return { writes: [...gone, ...(await more(object))], result: undefined };
  });

async function attachmentsOf(deps: Deps, ips: AutomaticIps): Promise<ExternalIpAttachment[]> {
  const found = await Promise.all(
    floatingIpUses.map((use) => load(deps, "external_ip_attachment", ips[use].attachment)),
  );
  return found.filter((each) => each !== undefined);
}
