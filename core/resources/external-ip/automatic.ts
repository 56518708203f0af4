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
 * External IPs that an order creates together with their target, a cluster or a server, each with its attachment. The
 * target uses them, so nobody else can delete them; they are deleted with it.
 */

/** The label by which OSAC's clients recognize them. */
const labels = { "osac.openshift.io/auto-created": "true" };
const ownerAnnotation = "osac.openshift.io/owner-reference";

/** An address that is claimed from a pool for a new external IP, and its target. */
interface NewAutomatic {
  /** The id of the external IP. */
  id: string;
  address: string;
  pool: ExternalIpPool;
  owner: { id: string; metadata: Pick<Metadata, "name" | "tenant" | "project" | "creator"> };
  /** The target, in the form of an attachment's spec. */
  leadsTo: Omit<ExternalIpAttachment["spec"], "external_ip">;
  /** The part of its name that shows its use. */
  use: string;
  /** The reason why it cannot lead to its target yet, in words. */
  awaits: string;
}

/** An external IP with its attachment, and the writes that create both. */
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

/** Their metadata: the tenant and project of their owner, and names with the owner's name. */
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
 * Deletes such an external IP and its attachment, once nothing outside uses them; its address rests. One transaction
 * for each, because its labels are deleted with it. Idempotent.
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
  // The tenant keeps it while a DPU may still use it, so that nobody else gets its address.
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
