import type { Metadata, Reference } from "../../kernel/object/metadata.ts";
import type { Kind, StoredObject } from "../../kernel/object/object.ts";
import type { Charged } from "../../kernel/object/traits.ts";

/**
 * An outside address that a tenant has: claimed from a pool with its order, and released with its deletion. What it
 * leads to is attached to it, one thing at a time; meanwhile and in between, the address stays the tenant's.
 */

export interface ExternalIpSpec {
  /** The pool that has the address. */
  pool: Reference;
}

/** An address is there from the order on, so the states of OSAC in which there is none do not occur. */
export interface ExternalIpStatus {
  state: "EXTERNAL_IP_STATE_ALLOCATED";
  address: string;
  attached: boolean;
}

/** What an external IP is attached to. */
export interface AttachedTo {
  kind: Kind;
  id: string;
}

/** A DPU that was given up, and the version of its configuration that it had not told of. */
export interface GivenUp {
  dpu: string;
  version: number;
}

export interface ExternalIp
  extends StoredObject<"external_ip", ExternalIpSpec, ExternalIpStatus>,
    Charged {
  metadata: Metadata;
  address: string;
  /** The site whose outside network has the address; absent for one that the DPUs of overlays announce. */
  site?: string;
  attached_to?: AttachedTo;
  /** The DPUs that had it, and did not tell in time that they have the version in which they do so no more. */
  given_up_by?: GivenUp[];
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    external_ip: ExternalIp;
  }
}
