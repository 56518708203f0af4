import * as z from "zod";
import type { MadeOutside, MadeOutsideStatus } from "../../at-site/made-outside.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { ClassNumbers } from "../network-class/claim.ts";
import { cidrSchema } from "../network-class/model.ts";
import type { Spread } from "../network-class/spread.ts";
import type { NetworkPrefixes } from "./prefixes.ts";

/**
 * A tenant's own network, isolated from all others. Subnets are parts of its prefixes. Packets pass between the
 * subnets, and leave or enter only by an outside address or a NAT gateway.
 */

export const prefixesSchema = {
  ipv4_cidr: cidrSchema.optional().describe("IPv4 prefix, such as 10.20.0.0/16."),
  ipv6_cidr: cidrSchema.optional().describe("IPv6 prefix, such as fd00:20::/48."),
};

export const virtualNetworkSpecSchema = z.object(prefixesSchema);

export interface VirtualNetworkSpec extends NetworkPrefixes {
  network_class: Reference;
}

export type VirtualNetworkStatus = MadeOutsideStatus<"VIRTUAL_NETWORK">;

export interface VirtualNetwork
  extends StoredObject<"virtual_network", VirtualNetworkSpec, VirtualNetworkStatus>,
    MadeOutside {
  /** Its numbers from the pools of its class, held until its deletion. */
  held?: ClassNumbers;
  /** The VNI of an overlay network. */
  vni?: number;
  /** Absent for networks without DPUs. */
  spread?: Spread;
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    virtual_network: VirtualNetwork;
  }
}
