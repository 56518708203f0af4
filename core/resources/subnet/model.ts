import * as z from "zod";
import type { MadeOutside, MadeOutsideStatus } from "../../at-site/made-outside.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { Spread } from "../network-class/spread.ts";
import { prefixesSchema } from "../virtual-network/model.ts";
import type { NetworkPrefixes } from "../virtual-network/prefixes.ts";

/** A part of a network, with prefixes of its own; clusters and servers stand in subnets. */

export const subnetSpecSchema = z.object(prefixesSchema);

export interface SubnetSpec extends NetworkPrefixes {
  virtual_network: Reference;
}

export type SubnetStatus = MadeOutsideStatus<"SUBNET">;

export interface Subnet extends StoredObject<"subnet", SubnetSpec, SubnetStatus>, MadeOutside {
  /** The name of its network on systems outside. */
  network_infra_id: string;
  /** Absent for a subnet of a network that has no ends. */
  spread?: Spread;
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    subnet: Subnet;
  }
}
