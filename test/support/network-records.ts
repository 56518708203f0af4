import { timestamp } from "../../core/clock.ts";
import type { ExternalIp } from "../../core/resources/external-ip/model.ts";
import type { ExternalIpAttachment } from "../../core/resources/external-ip-attachment/model.ts";
import type { NatGateway } from "../../core/resources/nat-gateway/model.ts";
import type { SecurityGroup } from "../../core/resources/security-group/model.ts";
import type { Subnet } from "../../core/resources/subnet/model.ts";
import type { VirtualNetwork } from "../../core/resources/virtual-network/model.ts";

/** Tenants' networks as records with nothing behind them, of tenant-a; most are at site-1. */

const common = (id: string, now = 0) => ({
  id,
  metadata: {
    name: id,
    tenant: "tenant-a",
    labels: {},
    annotations: {},
    creator: "ann",
    creation_timestamp: timestamp(now),
  },
  generation: 0,
  revision: 1,
  event: { type: "", sequence: 0, time: "2026-01-01T00:00:00.000Z", changed: [] },
});
const named = (name: string) => ({ id: name, name });
const made = (id: string) =>
  ({ infra_id: `n-${id}`, made: true, site: { id: "site-1", parts: {} } }) as const;

/** A READY network. */
export const networkRecord = (id: string, more: Partial<VirtualNetwork> = {}): VirtualNetwork => ({
  ...{ kind: "virtual_network", ...common(id), ...made(id) },
  spec: { network_class: named("isolated"), ipv4_cidr: "10.20.0.0/16", ipv6_cidr: "fd00:20::/48" },
  status: { state: "VIRTUAL_NETWORK_STATE_READY" },
  ...more,
});

/** A subnet of no site and no overlay, which is not made yet. */
export const subnetRecord = (
  id: string,
  spec: Partial<Subnet["spec"]> = {},
  more: Partial<Subnet> = {},
  now = 0,
): Subnet => ({
  ...{ kind: "subnet", ...common(id, now), infra_id: `s-${id}`, network_infra_id: "n-shop" },
  spec: { virtual_network: named("shop"), ...spec },
  status: { state: "SUBNET_STATE_PENDING" },
  ...more,
});

/** A READY group without rules, of the network `shop`. */
export const groupRecord = (id: string, more: Partial<SecurityGroup> = {}): SecurityGroup => ({
  ...{ kind: "security_group", ...common(id), ...made(id), network_infra_id: "n-shop" },
  spec: { virtual_network: named("shop"), ingress: [], egress: [] },
  status: { state: "SECURITY_GROUP_STATE_READY", wanted_version: 1, applied_version: 1 },
  ...{ wanted: 1, applied: 1 },
  ...more,
});

/** A READY way out of the network `shop`, by its external IP `shop`. */
export const natRecord = (id: string, more: Partial<NatGateway> = {}): NatGateway => ({
  ...{ kind: "nat_gateway", ...common(id), ...made(id), network_infra_id: "n-shop" },
  spec: { virtual_network: named("shop"), external_ip: named("shop") },
  status: { state: "NAT_GATEWAY_STATE_READY", external_ip_address: "203.0.113.80" },
  address: "203.0.113.80",
  ...more,
});

/** A READY attachment of the external IP `front` to the API of the cluster `c1`. */
export const attachmentRecord = (
  id: string,
  more: Partial<ExternalIpAttachment> = {},
): ExternalIpAttachment => ({
  ...{ kind: "external_ip_attachment", ...common(id), ...made(id), address: "203.0.113.80" },
  spec: {
    ...{ external_ip: named("front"), cluster: named("c1") },
    target_endpoint: "EXTERNAL_IP_ATTACHMENT_ENDPOINT_API",
  },
  status: {
    state: "EXTERNAL_IP_ATTACHMENT_STATE_READY",
    external_ip_address: "203.0.113.80",
  },
  ...more,
});

/** A free external IP at the site. */
export function externalIpRecord(id: string, more: Partial<ExternalIp> = {}): ExternalIp {
  const address = more.address ?? "203.0.113.80";
  return {
    ...{ kind: "external_ip", ...common(id), site: "site-1" },
    spec: { pool: named("outside") },
    status: { state: "EXTERNAL_IP_STATE_ALLOCATED", address, attached: false },
    ...more,
    address,
  };
}
