import type { EndpointIp } from "../../at-site/at-site.ts";
import { AppError } from "../../error.ts";
import { load, type Records } from "../../kernel/object/records.ts";
import type { BaremetalInstance } from "../baremetal-instance/model.ts";
import type { Cluster } from "../cluster/model.ts";
import { attachmentUseOf, type ExternalIpAttachment } from "./model.ts";

/** The targets of attachments: clusters, with one external IP for each endpoint, and servers, with one external IP. */
export type AttachmentTarget = Cluster | BaremetalInstance;

type Naming = Pick<ExternalIpAttachment, "spec">;

/** The target of an attachment; undefined if it is deleted. */
export async function attachmentTargetOf(
  records: Records,
  { spec }: Naming,
): Promise<AttachmentTarget | undefined> {
  const { cluster, baremetal_instance: instance } = spec;
  if (instance) return load(records, "baremetal_instance", instance.id);
  return cluster && load(records, "cluster", cluster.id);
}

/** The target if it is a cluster; undefined for a server. */
export const clusterIn = (target: AttachmentTarget | undefined): Cluster | undefined =>
  target?.kind === "cluster" ? target : undefined;

/** The target if it is a server; undefined for a cluster. */
export const serverIn = (target: AttachmentTarget | undefined): BaremetalInstance | undefined =>
  target?.kind === "baremetal_instance" ? target : undefined;

/** The target's kind and name, for messages. */
export const namedTarget = ({ kind, metadata }: AttachmentTarget): string =>
  `${kind === "cluster" ? "cluster" : "server"} '${metadata.name}'`;

/** The external IP that a target has at the endpoint of this attachment. */
export function ipAt(attachment: Naming, target: AttachmentTarget): EndpointIp | undefined {
  if (target.kind !== "cluster") return target.external_ip;
  const use = attachmentUseOf(attachment);
  return use && target.site?.external_ips?.[use];
}

/** The target with another external IP at that endpoint, or with none. */
export function withIpAt(
  attachment: Naming,
  target: AttachmentTarget,
  at: EndpointIp | undefined,
): AttachmentTarget {
  if (target.kind !== "cluster") {
    const { external_ip: _, ...bare } = target;
    return { ...bare, ...(at && { external_ip: at }) };
  }
  const use = attachmentUseOf(attachment);
  if (!target.site || !use) return target;
  const { external_ips: { [use]: _, ...others } = {}, ...bare } = target.site;
  const external_ips = { ...others, ...(at && { [use]: at }) };
  const site = Object.keys(external_ips).length > 0 ? { ...bare, external_ips } : bare;
  return { ...target, site };
}

/** Throws FailedPrecondition for a target that is not created yet or is being deleted. */
export function refuseUnreadyTarget(target: AttachmentTarget): void {
  const isReady =
    target.kind === "cluster"
      ? target.status.state === "CLUSTER_STATE_READY"
      : target.published && target.metadata.deletion_timestamp === undefined;
  if (isReady && !serverIn(target)?.formerly) return;
  if (isReady)
    throw new AppError("FailedPrecondition", `the networks of ${namedTarget(target)} change`);
  const message = `${namedTarget(target)} is not ${target.kind === "cluster" ? "READY" : "RUNNING"}: ${target.status.state}`;
  throw new AppError("FailedPrecondition", message);
}
