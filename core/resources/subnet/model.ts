import * as z from "zod";
import type { LifecycleState } from "../../kernel/object/lifecycle.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { Charged, Operated } from "../../kernel/object/traits.ts";
import type { SiteRecord } from "../site/at-site.ts";
import { prefixesSchema } from "../virtual-network/model.ts";
import type { Prefixes } from "../virtual-network/prefixes.ts";

/** A part of a network, with prefixes of its own; clusters and servers stand in subnets. */

export const subnetSpecSchema = z.object(prefixesSchema);

export interface SubnetSpec extends Prefixes {
  virtual_network: Reference;
}

export interface SubnetStatus {
  state: `SUBNET_STATE_${LifecycleState}`;
  /** What it waits for, or why it failed. */
  message?: string;
}

export interface Subnet
  extends StoredObject<"subnet", SubnetSpec, SubnetStatus>,
    Operated,
    Charged {
  metadata: StoredObject<"subnet", unknown, unknown>["metadata"];
  /** Its name on systems outside; claimed. */
  infra_id: string;
  /** The name of its network on systems outside. */
  network_infra_id: string;
  /** Its creation has succeeded. */
  made?: true;
  /** What it has at its site; absent for a network without one. */
  site?: SiteRecord;
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    subnet: Subnet;
  }
}
