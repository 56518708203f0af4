import * as z from "zod";
import type { LifecycleState } from "../../kernel/object/lifecycle.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { Charged, Operated } from "../../kernel/object/traits.ts";
import { cidrSchema } from "../network-class/model.ts";
import type { SiteRecord } from "../site/at-site.ts";
import type { Prefixes } from "./prefixes.ts";

/**
 * A tenant's own network, apart from all others: subnets are cut from its prefixes, and packets pass between
 * these and nowhere else unless an address outside or a NAT gateway leads there.
 */

export const prefixesSchema = {
  ipv4_cidr: cidrSchema.optional().describe("IPv4 prefix, such as 10.20.0.0/16."),
  ipv6_cidr: cidrSchema.optional().describe("IPv6 prefix, such as fd00:20::/48."),
};

export const virtualNetworkSpecSchema = z.object(prefixesSchema);

export interface VirtualNetworkSpec extends Prefixes {
  network_class: Reference;
}

export interface VirtualNetworkStatus {
  state: `VIRTUAL_NETWORK_STATE_${LifecycleState}`;
  /** What it waits for, or why it failed. */
  message?: string;
}

export interface VirtualNetwork
  extends StoredObject<"virtual_network", VirtualNetworkSpec, VirtualNetworkStatus>,
    Operated,
    Charged {
  metadata: StoredObject<"virtual_network", unknown, unknown>["metadata"];
  /** Its name on systems outside; claimed. */
  infra_id: string;
  /** Its creation has succeeded. */
  made?: true;
  /** What it has at its site; absent for a class without one. */
  site?: SiteRecord;
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    virtual_network: VirtualNetwork;
  }
}
