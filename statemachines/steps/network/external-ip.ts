import { networkIn, networkOf } from "../../../core/at-site/owner.ts";
import { donePart, type PartStatus } from "../../../core/at-site/parts.ts";
import { AppError } from "../../../core/error.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import type { OwnedDomain, RecordSet } from "../../../core/ports/dns/dns.ts";
import type { ExternalIpPlan, ObjectState, Removal } from "../../../core/ports/fabric/fabric.ts";
import { Taken } from "../../../core/ports/taken.ts";
import { primaryAddress } from "../../../core/resources/baremetal-instance/members.ts";
import { ownedName, recordsOf } from "../../../core/resources/cluster/owner.ts";
import { endpointOf, noteLeads } from "../../../core/resources/external-ip-attachment/endpoint.ts";
import {
  attachmentUseOf,
  type ExternalIpAttachment,
} from "../../../core/resources/external-ip-attachment/model.ts";
import {
  type AttachmentTarget,
  attachmentTargetOf,
  clusterIn,
  serverIn,
} from "../../../core/resources/external-ip-attachment/target.ts";
import {
  note,
  noteBegun,
  noteRemoval,
  type SiteContext,
  siteOf,
  siteStatusOf,
} from "../site/site.ts";

/** An external IP of a server, or one that replaces a cluster's own outside address together with its DNS name. */

type Step = StepContext<ExternalIpAttachment>;

/** Routes the external IP to the endpoint. The cluster's own address stays claimed without a route. */
export async function leadExternalIp(
  attachment: ExternalIpAttachment,
  context: Step,
): Promise<void> {
  const here = await siteOf(attachment, context);
  const to = leadsTo(attachment, await attachmentTargetOf(context.deps, attachment));
  if (!here?.fabric || !to) throw new AppError("Rejected", "its target has no network at a fabric");
  const { address } = attachment;
  await noteBegun("external_ip", `external IP ${address}`, attachment, context);
  const plan = { ...to, address };
  const seen = await here.fabric.ensureExternalIp(here.networkOwner, plan);
  await note("external_ip", siteStatusOf(seen, `external IP ${address}`), context);
}

/** The inside address for the external IP; undefined for an endpoint without one on a fabric. */
function leadsTo(
  attachment: ExternalIpAttachment,
  target: AttachmentTarget | undefined,
): Omit<ExternalIpPlan, "address"> | undefined {
  const server = serverIn(target);
  if (server) {
    const at = primaryAddress(server);
    return at && { network: networkIn(server, at.stand), use: "server", internal: at.address };
  }
  const use = attachmentUseOf(attachment);
  const inside = target?.site?.network;
  return target && use && inside && { network: networkOf(target), use, internal: inside[use] };
}

/** Removes the external IP from the fabric, and routes the cluster's own address to the endpoint again. */
export async function turnBack(attachment: ExternalIpAttachment, context: Step): Promise<void> {
  const here = await siteOf(attachment, context);
  if (!here?.fabric) return;
  const removed = await here.fabric.removeExternalIp(here.networkOwner);
  const removal =
    removed.state === "absent" ? await ownAddressBack(here, attachment, context) : removed;
  await noteRemoval("external_ip", removal, context);
}

async function ownAddressBack(
  { fabric }: SiteContext,
  attachment: ExternalIpAttachment,
  { deps }: Step,
): Promise<Removal> {
  const cluster = clusterIn(await attachmentTargetOf(deps, attachment));
  const { floating_ips: own, network: inside } = cluster?.site ?? {};
  const isOver = { state: "absent" } as const;
  const use = attachmentUseOf(attachment);
  // A server has no own address, and the endpoint may belong to another attachment by now.
  if (!fabric || !cluster || !own || !inside || !use || !endpointOf(attachment, cluster))
    return isOver;
  try {
    const plan = { use, internal: inside[use], address: own[use] };
    const { progress } = await fabric.ensureFloatingIp(networkOf(cluster), plan);
    return progress.state === "done" ? isOver : waiting(progress, `floating IP ${own[use]}`);
  } catch (error) {
    // The cluster's own address is in use by others; the drift check of the cluster's parts reports that.
    if (error instanceof Taken) return isOver;
    throw error;
  }
}

const waiting = (progress: ObjectState, what: string): Removal => ({
  state: "pending",
  message: siteStatusOf(progress, what).message,
});

/** Changes the cluster's DNS name for the endpoint to the external IP. */
export const moveNames = (attachment: ExternalIpAttachment, context: Step): Promise<void> =>
  changeName(attachment, context, true);

/** Changes the cluster's DNS name back to the cluster's own address. */
export const returnNames = (attachment: ExternalIpAttachment, context: Step): Promise<void> =>
  changeName(attachment, context, false);

async function changeName(
  attachment: ExternalIpAttachment,
  context: Step,
  leads: boolean,
): Promise<void> {
  const { deps, fence } = context;
  const target = await noteLeads(deps, fence(), attachment, leads);
  const here = await siteOf(attachment, context);
  const named = here && nameOf(attachment, target);
  if (!here?.dns || !named) return note("dns_records", over(leads), context);
  const change = await here.dns.ensure(named.owned, named.records);
  await note("dns_records", asked(named.owned), context, (site) => ({
    ...site,
    ...(change === undefined ? {} : { dns_change: change }),
  }));
}

/** Checks the records at the DNS server, and writes them again when missing or wrong. */
export const lookAtNames =
  (leads: boolean) =>
  async (attachment: ExternalIpAttachment, context: Step): Promise<void> => {
    const here = await siteOf(attachment, context);
    const part = here?.record.parts.dns_records;
    if (leads ? part?.state === "done" : !part) return;
    const named = nameOf(attachment, await attachmentTargetOf(context.deps, attachment));
    if (!here?.dns || !named) return changeName(attachment, context, leads);
    const seen = await here.dns.observe(named.owned, named.records, here.record.dns_change);
    if (seen.state === "missing") return changeName(attachment, context, leads);
    const status =
      seen.state === "done" ? over(leads) : ({ state: "pending", message: seen.message } as const);
    await note("dns_records", status, context);
  };

const over = (leads: boolean): PartStatus | "gone" => (leads ? donePart : "gone");

const asked = ({ recordNames: [name] }: OwnedDomain) =>
  ({ state: "pending", message: `the authority to answer for ${name}` }) as const;

/**
 * The cluster's DNS name for the endpoint, with its records; undefined without names, for a server, or where
 * another attachment has the endpoint.
 */
function nameOf(
  attachment: ExternalIpAttachment,
  target: AttachmentTarget | undefined,
): { owned: OwnedDomain; records: RecordSet[] } | undefined {
  const cluster = clusterIn(target);
  const domain = cluster?.site?.domain;
  const use = attachmentUseOf(attachment);
  if (!cluster?.site || domain === undefined || !use || !endpointOf(attachment, cluster))
    return undefined;
  const owned = ownedName(cluster, domain, use);
  const all = recordsOf(cluster.site, domain);
  return { owned, records: all.filter(({ name }) => owned.recordNames.includes(name)) };
}
