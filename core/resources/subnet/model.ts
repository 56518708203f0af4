import * as z from "zod";
import type { MadeOutside, MadeOutsideStatus } from "../../at-site/made-outside.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { Spread } from "../network-class/spread.ts";
import { prefixesSchema } from "../virtual-network/model.ts";
import type { NetworkPrefixes } from "../virtual-network/prefixes.ts";

/** A part of a network with its own prefixes; clusters and servers are in subnets. */

export const subnetSpecSchema = z.object(prefixesSchema);

export interface SubnetSpec extends NetworkPrefixes {
  virtual_network: Reference;
}

export type SubnetStatus = MadeOutsideStatus<"SUBNET">;

export interface Subnet extends StoredObject<"subnet", SubnetSpec, SubnetStatus>, MadeOutside {
  /** The name that its network has on systems outside. */
  network_infra_id: string;
  /** Absent unless DPUs make its network. */
  spread?: Spread;
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    subnet: Subnet;
  }
}
