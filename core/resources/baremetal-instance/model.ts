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
 * A server that a tenant orders whole: a host of the provider, in networks of the tenant. The API writes `spec`
 * (intent), the reservation writes `placement`, steps write the rest; `status` is computed from all of them.
 */

export interface InstanceAttachment extends NetworkAttachment {
  /** The name of the network port; absent where there is one attachment alone. */
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
  /** Any other number restarts the server once. */
  restart_trigger?: number;
  network_attachments: InstanceAttachment[];
  /** An external IP of its tenant comes and goes with it. */
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

/** The server in one of its networks. */
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
  /** The address by which the outside reaches it. */
  external_ip_address?: string;
  failure?: Failure;
  /** The trigger of the last restart that has come about. */
  restart_trigger?: number;
}

/** The networks of a server: as its tenant names them, and what that means at its site, one for one. */
export interface InstanceNetworks {
  network_attachments: InstanceAttachment[];
  stands: readonly Stand[];
}

/** A NIC of the host, as its inventory knows it. */
export interface Nic {
  name: string;
  mac: string;
}

/** The servers that were ordered together. */
export interface Batch {
  id: string;
  /** The ids of the instances, in the order of the request. */
  members: string[];
  /** The host types of them all. */
  host_types: string[];
  /** How their hosts are to stand. */
  racks?: Racks;
}

export interface BaremetalInstance
  extends StoredObject<"baremetal_instance", InstanceSpec, InstanceStatus>,
    Placed,
    Starting,
    Charged {
  metadata: StoredObject<"baremetal_instance", InstanceSpec, InstanceStatus>["metadata"];
  /** Its name on systems outside; claimed, never reused. */
  infra_id: string;
  /** What it was ordered by. */
  template: Reference;
  instance_type: Reference;
  /** The name of the host type that serves it: chosen with its order, and anew by a retry. */
  host_type: string;
  /** The servers that it was ordered with, and gets its host with; absent for one that is ordered alone. */
  batch?: Batch;
  /** What it has at the site of its subnets. */
  site?: SiteRecord;
  /** What `spec.network_attachments` means at its site. */
  stands: readonly Stand[];
  /** What it has claimed in subnets: before its NICs are there, and until they have left. */
  addresses?: SubnetAddresses;
  /** While its networks change: those that it had, which it has left once the new ones are confirmed. */
  formerly?: InstanceNetworks & { areLeft?: true };
  /** Subnets of a change that was cut off, in which something of it may be left. */
  lingering?: readonly Stand[];
  /** The NICs of its host; absent while it has none. */
  nics?: readonly Nic[];
  /** The external IP that leads to it, or is to. */
  external_ip?: EndpointIp;
  /** The one that came with it, from its order until it has released its host. */
  automatic_ip?: AutomaticIp;
  /** An administrator has it removed by force. */
  forced?: Forced;
  /** What its tenant learns of its host. */
  host_notice?: HostNotice;
  /** That a DPU of its host is not heard. */
  silence?: { since: string };
  /** What the provider asks to have done to its host. */
  repair?: Repair;
  /** While its networks change: the groups that its ports had in the subnets that it keeps. */
  regrouping?: Regrouped;
  /** What is to become of its power was ordered, and is not so yet. */
  restarting?: true;
  /** How its last restart ended. */
  restarted?: { at: string; trigger?: number; failure?: Failure };
  /** Whether the saga has reached its end, so that the tenant has a server. */
  published: boolean;
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    baremetal_instance: BaremetalInstance;
  }
}
