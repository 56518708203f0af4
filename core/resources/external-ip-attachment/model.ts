import type { FloatingIpUse } from "../../at-site/at-site.ts";
import type { MadeOutside, MadeOutsideStatus } from "../../at-site/made-outside.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";

/**
 * The connection of an external IP with a server, or with an endpoint of a cluster, where it replaces the cluster's
 * own outside address. The transaction that accepts the order claims both sides, in their records. So an address is at
 * one endpoint, and an endpoint has one address, even if orders come at the same time.
 */

export const endpoints = {
  EXTERNAL_IP_ATTACHMENT_ENDPOINT_API: "api",
  EXTERNAL_IP_ATTACHMENT_ENDPOINT_INGRESS: "ingress",
} as const satisfies Record<string, FloatingIpUse>;
export type Endpoint = keyof typeof endpoints;
export const endpointNames = Object.keys(endpoints) as [Endpoint, ...Endpoint[]];

export interface ExternalIpAttachmentSpec {
  external_ip: Reference;
  /** Either this or `baremetal_instance` is set. */
  cluster?: Reference;
  baremetal_instance?: Reference;
  /** Set for a cluster only. */
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
  /** For a server in an overlay only: the DPU by which the address leads to the server, or may still lead there. */
  carrier?: string;
  /**
   * The version without the address that this DPU did not confirm in time; its host is quarantined.
   */
  given_up?: { version: number };
  /** Created by its cluster's order; only the cluster's sagas change it (`core/resources/cluster/external-ips.ts`). */
  automatic?: true;
}

/** The use of a cluster's outside address that an attachment replaces; undefined for a server's attachment. */
export const attachmentUseOf = ({
  spec: { target_endpoint },
}: Pick<ExternalIpAttachment, "spec">): FloatingIpUse | undefined =>
  target_endpoint && endpoints[target_endpoint];

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    external_ip_attachment: ExternalIpAttachment;
  }
}
