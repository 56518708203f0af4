import type { Metadata, Reference } from "../../kernel/object/metadata.ts";
import type { Kind, StoredObject } from "../../kernel/object/object.ts";
import type { Charged } from "../../kernel/object/traits.ts";

/**
 * An outside address of a tenant, claimed from a pool by its order and released by its deletion. It can be attached to
 * one thing at a time; the tenant keeps the address while it is attached to nothing.
 */

export interface ExternalIpSpec {
  /** The pool of the address. */
  pool: Reference;
}

/** The order already claims an address, so OSAC's states without an address do not occur. */
export interface ExternalIpStatus {
  state: "EXTERNAL_IP_STATE_ALLOCATED";
  address: string;
  attached: boolean;
}

/** The user of an external IP. */
export interface AttachedTo {
  kind: Kind;
  id: string;
}

/** A DPU that did not confirm in time, and the version of its configuration that it had to confirm. */
export interface GivenUp {
  dpu: string;
  version: number;
}

export interface ExternalIp
  extends StoredObject<"external_ip", ExternalIpSpec, ExternalIpStatus>,
    Charged {
  metadata: Metadata;
  address: string;
  /** The site whose outside network has the address; absent for an address that DPUs of an overlay announce. */
  site?: string;
  attached_to?: AttachedTo;
  /** The DPUs that used it, and did not confirm in time a version without it. */
  given_up_by?: GivenUp[];
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    external_ip: ExternalIp;
  }
}
