import type { MadeOutside, MadeOutsideStatus } from "../../at-site/made-outside.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { GivenUp } from "../external-ip/model.ts";

/**
 * The way out of a network: what is in it reaches the outside with the address of an external IP, by which nothing comes in.
 * Address and way are the gateway's from its order on, claimed in the transaction that accepts it: so a network has one
 * way out, and an address one user, however orders meet.
 */

export interface NatGatewaySpec {
  virtual_network: Reference;
  external_ip: Reference;
}

export interface NatGatewayStatus extends MadeOutsideStatus<"NAT_GATEWAY"> {
  /** The address that the outside sees. */
  external_ip_address: string;
}

export interface NatGateway
  extends StoredObject<"nat_gateway", NatGatewaySpec, NatGatewayStatus>,
    MadeOutside {
  /** The name of its network on systems outside. */
  network_infra_id: string;
  /** The address of the external IP. */
  address: string;
  /** Of the network of an overlay: its ends are to translate to the address. */
  opened?: true;
  /** Those ends that did not tell in time that they have given the address up. */
  given_up?: GivenUp[];
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    nat_gateway: NatGateway;
  }
}
