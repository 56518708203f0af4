import type { MadeOutside, MadeOutsideStatus } from "../../at-site/made-outside.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { GivenUp } from "../external-ip/model.ts";

/**
 * The way out of a network: packets from it reach the outside with the address of an external IP, and no connections
 * come in. The transaction that accepts the order claims both the address and the way out. So a network has one way
 * out, and an address one user, even if orders come at the same time.
 */

export interface NatGatewaySpec {
  virtual_network: Reference;
  external_ip: Reference;
}

export interface NatGatewayStatus extends MadeOutsideStatus<"NAT_GATEWAY"> {
  /** The source address of its packets outside. */
  external_ip_address: string;
}

export interface NatGateway
  extends StoredObject<"nat_gateway", NatGatewaySpec, NatGatewayStatus>,
    MadeOutside {
  /** The name that its network has on systems outside. */
  network_infra_id: string;
  /** The address of the external IP. */
  address: string;
  /** For a network of an overlay: its DPUs have to translate to the address. */
  opened?: true;
  /** The DPUs that did not confirm in time that they stopped using the address. */
  given_up?: GivenUp[];
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    nat_gateway: NatGateway;
  }
}
