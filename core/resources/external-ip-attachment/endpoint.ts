import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { rewritten } from "../../kernel/events/rewrite.ts";
import { load, mustLoad, putChanged } from "../../kernel/object/records.ts";
import { optimisticallyFenced } from "../../kernel/store/optimistically.ts";
import type { Check, Write } from "../../kernel/store/store.ts";
import type { Cluster } from "../cluster/model.ts";
import { attachingOnce, detaching } from "../external-ip/attached.ts";
import type { AttachedTo } from "../external-ip/model.ts";
import type { EndpointIp, FloatingIpUse } from "../site/at-site.ts";
import type { Claims } from "../site/order.ts";
import { type ExternalIpAttachment, useOf } from "./model.ts";

/** The endpoints of clusters, of which each says which attachment has it. */

type Writing = Pick<Deps, "kinds" | "clock">;

/** The refusal of an endpoint that an attachment has already. */
export const endpointTaken = (
  { metadata, site }: Cluster,
  use: FloatingIpUse,
): AppError | undefined => {
  const at = site?.external_ips?.[use];
  return (
    at &&
    new AppError(
      "FailedPrecondition",
      `cluster '${metadata.name}' has the address ${at.address} for ${use} already: external ip attachment '${at.attachment}' has it`,
    )
  );
};

/** The write that says which external IP is at an endpoint of a cluster, as it was read; undefined: none is. */
export const puttingAt = (
  deps: Writing,
  cluster: Cluster,
  use: FloatingIpUse,
  at: EndpointIp | undefined,
): Write => putChanged(deps.kinds, withEndpoint(deps, cluster, use, at));

function withEndpoint(
  deps: Writing,
  cluster: Cluster,
  use: FloatingIpUse,
  at: EndpointIp | undefined,
): Cluster {
  if (!cluster.site) return cluster;
  const { external_ips: { [use]: _, ...others } = {}, ...bare } = cluster.site;
  const external_ips = { ...others, ...(at && { [use]: at }) };
  const site = Object.keys(external_ips).length > 0 ? { ...bare, external_ips } : bare;
  return rewritten(deps.kinds, cluster, { ...cluster, site }, deps.clock.now());
}

const asUser = ({ kind, id }: ExternalIpAttachment): AttachedTo => ({ kind, id });

/** What a cluster says of an attachment at its endpoint; undefined where another one has the endpoint, or none. */
export function endpointOf(
  attachment: ExternalIpAttachment,
  cluster: Cluster | undefined,
): EndpointIp | undefined {
  const at = cluster?.site?.external_ips?.[useOf(attachment)];
  return at?.attachment === attachment.id ? at : undefined;
}

/** Throws FailedPrecondition for a cluster that is not there yet, or not any more. */
export function refuseUnready({ metadata, status }: Cluster): void {
  if (status.state === "CLUSTER_STATE_READY") return;
  const message = `cluster '${metadata.name}' is not READY: ${status.state}`;
  throw new AppError("FailedPrecondition", message);
}

/** Its endpoint, which a cluster has to take, and its external IP. */
export const claims: Claims<ExternalIpAttachment> = {
  async claim(deps, attachment) {
    const { id, infra_id: name, address, spec } = attachment;
    const [cluster, ip] = await Promise.all([
      load(deps, "cluster", spec.cluster.id),
      mustLoad(deps, "external_ip", spec.external_ip.id),
    ]);
    if (!cluster)
      throw new AppError("FailedPrecondition", `cluster '${spec.cluster.name}' is gone`);
    const writes = attachingOnce(deps, ip, asUser(attachment));
    if (endpointOf(attachment, cluster)) return writes;
    const use = useOf(attachment);
    const taken = endpointTaken(cluster, use);
    if (taken) throw taken;
    refuseUnready(cluster);
    return [...writes, puttingAt(deps, cluster, use, { attachment: id, name, address })];
  },
  async release(deps, attachment) {
    const { spec } = attachment;
    const [cluster, ip] = await Promise.all([
      load(deps, "cluster", spec.cluster.id),
      load(deps, "external_ip", spec.external_ip.id),
    ]);
    const writes = detaching(deps, ip, asUser(attachment));
    if (!cluster || !endpointOf(attachment, cluster)) return writes;
    return [...writes, puttingAt(deps, cluster, useOf(attachment), undefined)];
  },
};

/**
 * Writes whether an attachment's address leads to its endpoint, and answers the cluster then; undefined where the
 * endpoint is not the attachment's.
 */
export const noteLeads = (
  deps: Deps,
  fence: Check[],
  attachment: ExternalIpAttachment,
  leads: boolean,
): Promise<Cluster | undefined> =>
  optimisticallyFenced<Cluster | undefined>(deps.store, fence, async () => {
    const cluster = await load(deps, "cluster", attachment.spec.cluster.id);
    const found = endpointOf(attachment, cluster);
    if (!cluster || !found) return { writes: [], result: undefined };
    const { leads: before = false, ...at } = found;
    if (before === leads) return { writes: [], result: cluster };
    const now = leads ? { ...at, leads } : at;
    const after = withEndpoint(deps, cluster, useOf(attachment), now);
    return { writes: [putChanged(deps.kinds, after)], result: after };
  });
