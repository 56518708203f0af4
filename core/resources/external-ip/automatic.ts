import type { AutomaticIp } from "../../at-site/at-site.ts";
import { withPart } from "../../at-site/parts.ts";
import { timestamp } from "../../clock.ts";
import { newInfraId } from "../../id.ts";
import { releaseQuota } from "../../kernel/claim/quota.ts";
import type { Deps } from "../../kernel/deps.ts";
import { createdEvent, withLastEvent } from "../../kernel/events/outbox.ts";
import { asNew } from "../../kernel/events/rewrite.ts";
import { infraKey } from "../../kernel/object/keys.ts";
import type { Metadata } from "../../kernel/object/metadata.ts";
import type { Kind } from "../../kernel/object/object.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import { archive, load, putNew } from "../../kernel/object/records.ts";
import { referenceTo } from "../../kernel/request/resolve.ts";
import { optimisticallyFenced } from "../../kernel/store/optimistically.ts";
import { absent, type Check, exists, type Write } from "../../kernel/store/store.ts";
import type { ExternalIpPool } from "../external-ip-pool/model.ts";
import { releaseAddress } from "./address.ts";
import type { ExternalIp } from "./model.ts";
import { mayStillLead } from "./still-leads.ts";

type ExternalIpAttachment = ObjectOf["external_ip_attachment"];

/**
 * External IPs that come with what they lead to, each with its attachment. The order makes them. What they lead to uses
 * them, so nobody else deletes them; they go with it.
 */

/** What OSAC's clients know them by. */
const labels = { "osac.openshift.io/auto-created": "true" };
const ownerAnnotation = "osac.openshift.io/owner-reference";

/** An address of a pool that is claimed for a new external IP, and what it is to lead to. */
interface NewAutomatic {
  /** The id of the external IP. */
  id: string;
  address: string;
  pool: ExternalIpPool;
  owner: { id: string; metadata: Pick<Metadata, "name" | "tenant" | "project" | "creator"> };
  /** What the attachment names. */
  leadsTo: Omit<ExternalIpAttachment["spec"], "external_ip">;
  /** The word for it in its name. */
  use: string;
  /** What is waited for until it can lead there, in words. */
  awaits: string;
}

/** An external IP and its attachment, and the writes that make them. */
export function newAutomatic(
  deps: Deps,
  { id, address, pool, owner, leadsTo, use, awaits }: NewAutomatic,
): { at: AutomaticIp; writes: Write[] } {
  const now = deps.clock.now();
  const created = timestamp(now);
  const at = { attachment: deps.newId(), name: newInfraId(deps.random), address };
  const metadata = metadataOf(owner, use, at.name, created);
  const site = pool.spec.site?.id;
  const ip: ExternalIp = {
    ...{ kind: "external_ip", id, metadata, generation: 0, revision: 1 },
    spec: { pool: referenceTo(pool) },
    status: { state: "EXTERNAL_IP_STATE_ALLOCATED", address, attached: true },
    attached_to: { kind: "external_ip_attachment", id: at.attachment },
    ...{ address, charge: {}, event: createdEvent("external_ip", created) },
    ...(site !== undefined && { site }),
  };
  const waiting = { state: "pending", message: awaits } as const;
  const attachment: ExternalIpAttachment = {
    ...{ kind: "external_ip_attachment", id: at.attachment, metadata, generation: 0, revision: 1 },
    spec: { external_ip: referenceTo(ip), ...leadsTo },
    status: { state: "EXTERNAL_IP_ATTACHMENT_STATE_PENDING", external_ip_address: address },
    ...(site !== undefined && {
      site: withPart({ id: site, parts: {} }, "external_ip", waiting, now),
    }),
    ...{ infra_id: at.name, address, charge: {}, automatic: true },
    event: createdEvent("external_ip_attachment", created),
  };
  return {
    at: { ...at, external_ip: id },
    writes: [
      ...[ip, attachment].flatMap((each) => putNew(deps.kinds, asNew(deps.kinds, each, now))),
      { put: { ...infraKey(at.name), external_ip_attachment: attachment.id }, if: absent },
    ],
  };
}

/** They are in their owner's tenant and project, and have its name in theirs. */
function metadataOf(
  { id, metadata: { name, tenant, project, creator } }: NewAutomatic["owner"],
  use: string,
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

/**
 * Removes such an external IP with its attachment, which nothing outside has any more. Its address rests. Each goes in a
 * transaction of its own, since its labels go with it. Harmless when repeated.
 */
export async function removePair(
  deps: Deps,
  fence: Check[],
  { attachment, external_ip }: AutomaticIp,
): Promise<void> {
  await remove(deps, fence, "external_ip_attachment", attachment, async ({ infra_id }) => [
    { delete: infraKey(infra_id), if: exists },
  ]);
  const ip = await load(deps, "external_ip", external_ip);
  // It stays the tenant's while a DPU may have it: nobody else is to get its address.
  if (ip && (await mayStillLead(deps, ip))) return;
  await remove(deps, fence, "external_ip", external_ip, async (ip) => [
    ...(await releaseAddress(deps, ip)),
    ...releaseQuota(ip, undefined),
  ]);
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
