import type {
  AutomaticIp,
  EndpointIp,
  Regrouped,
  SiteRecord,
  Stand,
  SubnetAddresses,
} from "../../at-site/at-site.ts";
import type { Condition } from "../../kernel/object/condition.ts";
import type { Failure } from "../../kernel/object/failure.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { Charged, Placed } from "../../kernel/object/traits.ts";
import type { Json } from "../../kernel/store/store.ts";
import type { Forced, Starting } from "../../machine/boot.ts";
import type { Racks } from "../../placement/pool/host.ts";
import type { InstanceImage, RunStrategy } from "../baremetal-instance-template/order-input.ts";
import type { NetworkAttachment } from "../subnet/attaching.ts";
import type { HostNotice } from "./host-notice.ts";
import type { Repair } from "./repair.ts";

/**
 * A bare metal server that a tenant orders: a host of the provider in the tenant's networks. The API writes
 * `spec` (intent), placement writes `placement`, steps write the rest; `status` is computed from all of them.
 */

export interface InstanceAttachment extends NetworkAttachment {
  /** The name of the network port; absent for a single attachment. */
  interface?: string;
  primary: boolean;
}

export interface InstanceSpec {
  catalog_item: Reference;
  template_parameters: Record<string, Json>;
  image: InstanceImage;
  ssh_public_key?: string;
  /** Reference into the secret store. */
  user_data?: string;
  run_strategy: RunStrategy;
  /** A change of this number restarts the server once. */
  restart_trigger?: number;
  network_attachments: InstanceAttachment[];
  /** An external IP of its tenant is created and deleted with it. */
  auto_external_ip_attachment?: true;
  /** Constraints on the placement: a region, labels that the hub must have. */
  placement?: { region?: string; labels?: Record<string, string> };
}

export const instanceStates = [
  "PROVISIONING",
  "RUNNING",
  "FAILED",
  "DELETING",
  "STARTING",
  "STOPPING",
  "STOPPED",
  "DELETE_FAILED",
] as const;
export type InstanceState = `BARE_METAL_INSTANCE_STATE_${(typeof instanceStates)[number]}`;

export const instanceConditionTypes = [
  "PROVISIONED",
  "CONFIGURATION_APPLIED",
  "READY",
  "RESTART_IN_PROGRESS",
  "RESTART_FAILED",
  "RESTART_REQUIRED",
  "MAINTENANCE",
  "DPUS_REPORT",
] as const;
export type InstanceConditionType =
  `BARE_METAL_INSTANCE_CONDITION_TYPE_${(typeof instanceConditionTypes)[number]}`;

/** The record of the server in one of its networks. */
export interface AttachmentStatus {
  interface?: string;
  /** The id of the subnet. */
  subnet_ref: string;
  ip_address?: string;
  primary: boolean;
}

export interface InstanceStatus {
  state: InstanceState;
  conditions: Condition<InstanceConditionType>[];
  state_transition_time: string;
  message?: string;
  network_attachment_statuses: AttachmentStatus[];
  hardware?: { nics: { mac: string }[] };
  /** The external IP that leads to it. */
  external_ip_address?: string;
  failure?: Failure;
  /** The `restart_trigger` of the last completed restart. */
  restart_trigger?: number;
}

/** The networks of a server: as its tenant names them and, in the same order, as they are at its site. */
export interface InstanceNetworks {
  network_attachments: InstanceAttachment[];
  stands: readonly Stand[];
}

/** A NIC of the host, from the host's inventory. */
export interface Nic {
  name: string;
  mac: string;
}

/** The servers of one batch order. */
export interface Batch {
  id: string;
  /** The ids of the instances, in the order of the request. */
  members: string[];
  /** The host types of all of them. */
  host_types: string[];
  /** The rule for the racks of their hosts. */
  racks?: Racks;
}

export interface BaremetalInstance
  extends StoredObject<"baremetal_instance", InstanceSpec, InstanceStatus>,
    Placed,
    Starting,
    Charged {
  metadata: StoredObject<"baremetal_instance", InstanceSpec, InstanceStatus>["metadata"];
  /** Its name in outside systems: claimed, and never reused. */
  infra_id: string;
  /** The template by which it was ordered. */
  template: Reference;
  instance_type: Reference;
  /** The name of its host type, chosen by the order, and again by a retry. */
  host_type: string;
  /** The batch of servers that it was ordered with; absent for a single order. */
  batch?: Batch;
  /** Its record at the site of its subnets. */
  site?: SiteRecord;
  /** The subnets at its site for `spec.network_attachments`. */
  stands: readonly Stand[];
  /** Its addresses in subnets, claimed from before its NICs join until after they leave. */
  addresses?: SubnetAddresses;
  /** During a change of its networks: the previous ones, which it leaves when the new ones are confirmed. */
  formerly?: InstanceNetworks & { areLeft?: true };
  /** Subnets of an interrupted change, in which it may still have ports. */
  lingering?: readonly Stand[];
  /** The NICs of its host, while it has one. */
  nics?: readonly Nic[];
  /** The external IP that leads to it, or soon will. */
  external_ip?: EndpointIp;
  /** The external IP that its order created, until its host is released. */
  automatic_ip?: AutomaticIp;
  /** Set if an administrator removes it by force. */
  forced?: Forced;
  /** The notice about its host for the tenant. */
  host_notice?: HostNotice;
  /** Since when a DPU of its host does not report. */
  silence?: { since: string };
  /** The repair of its host that the provider requests. */
  repair?: Repair;
  /** During a change of its networks: the previous security groups in the subnets that stay. */
  regrouping?: Regrouped;
  /** A change of its power was ordered and is not complete. */
  restarting?: true;
  /** The result of its last restart. */
  restarted?: { at: string; trigger?: number; failure?: Failure };
  /** Whether the create saga has reached its end, so that the tenant has a server. */
  published: boolean;
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    baremetal_instance: BaremetalInstance;
  }
}
