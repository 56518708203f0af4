import type { FloatingIpUse } from "../../at-site/at-site.ts";
import type { MadeOutside, MadeOutsideStatus } from "../../at-site/made-outside.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";

/**
 * An external IP at an endpoint of a cluster, where it stands in for the cluster's own outside address, or at a server.
 * Both are the attachment's from its order on: the external IP and what it leads to say so in their records, written in the transaction
 * that accepts the order. So an address is at one endpoint, and an endpoint has one address, however orders meet.
 */

export const endpoints = {
  EXTERNAL_IP_ATTACHMENT_ENDPOINT_API: "api",
  EXTERNAL_IP_ATTACHMENT_ENDPOINT_INGRESS: "ingress",
} as const satisfies Record<string, FloatingIpUse>;
export type Endpoint = keyof typeof endpoints;
export const endpointNames = Object.keys(endpoints) as [Endpoint, ...Endpoint[]];

export interface ExternalIpAttachmentSpec {
  external_ip: Reference;
  /** One of both. */
  cluster?: Reference;
  baremetal_instance?: Reference;
  /** Of a cluster alone. */
  target_endpoint?: Endpoint;
}

export interface ExternalIpAttachmentStatus extends MadeOutsideStatus<"EXTERNAL_IP_ATTACHMENT"> {
  external_ip_address: string;
}

export interface ExternalIpAttachment
  extends StoredObject<
      "external_ip_attachment",
      ExternalIpAttachmentSpec,
      ExternalIpAttachmentStatus
    >,
    MadeOutside {
  /** The address of the external IP. */
  address: string;
  /** The DPU that has, or may have, the address lead to the server; of a server in an overlay alone. */
  carrier?: string;
  /** That DPU did not tell in time that it has this version, in which the address leads there no more; its host is quarantined. */
  given_up?: { version: number };
  /** It came with its cluster, whose sagas alone change it (`core/resources/cluster/external-ips.ts`). */
  automatic?: true;
}

/** The use of a cluster's outside address that an attachment is for; undefined for one of a server. */
export const attachmentUseOf = ({
  spec: { target_endpoint },
}: Pick<ExternalIpAttachment, "spec">): FloatingIpUse | undefined =>
  target_endpoint && endpoints[target_endpoint];

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    external_ip_attachment: ExternalIpAttachment;
  }
}
