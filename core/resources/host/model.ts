import * as z from "zod";
import type { OperationId } from "../../id.ts";
import { lineSchema } from "../../kernel/input/text.ts";
import type { Condition } from "../../kernel/object/condition.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { Operated } from "../../kernel/object/traits.ts";
import { isMac, isOfOneNic } from "../../mac.ts";
import type { ServerIdentity } from "../../machine/identity.ts";
import type { NamedOwner } from "../../placement/pool/host.ts";
import type { Observation } from "../../ports/hub/observation.ts";
import { bmcSchema } from "./bmc.ts";
import type { FirmwareSeen } from "./firmware.ts";
import type { Health, HealthRecord } from "./health.ts";
import type { ServerRecord } from "./server.ts";

/**
 * A server in the inventory. The provider writes its spec: its type, the address of its BMC, and the cabling of
 * each NIC. Its status has the state of its agent on the hub, and its holder.
 */

export const macSchema = z
  .string()
  .refine(isMac, {
    error: "must be a MAC address in lowercase, such as 52:54:00:12:34:56",
    abort: true,
  })
  .refine(isOfOneNic, "must be the address of one NIC: not zeros, of a group or broadcast");

const nicSchema = z.strictObject({
  name: lineSchema(63).describe("Name of the interface, such as `eth0`."),
  mac: macSchema.describe("MAC address, such as 52:54:00:12:34:56."),
  switch: lineSchema(253).describe("The switch that it is cabled to."),
  port: lineSchema(253).describe("The port of that switch."),
});

export const hostSpecSchema = z.strictObject({
  host_type: z.string().min(1).max(63).describe("Name of its host type."),
  hub: z.string().min(1).max(63).describe("Name of the hub of its discovery network."),
  bmc: bmcSchema,
  serial: lineSchema(64)
    .optional()
    .describe("Serial number of the server; one that reports another at discovery is quarantined."),
  nics: z
    .array(nicSchema)
    .min(1)
    .max(32)
    .describe("Network interfaces, each with the switch port it is cabled to."),
  rack: lineSchema(100).optional().describe("Its rack; the inventory's by default."),
  dpus: z
    .int()
    .min(1)
    .max(8)
    .optional()
    .describe("Number of its DPUs; it is not provisioned before all are registered."),
});
export type HostSpec = z.infer<typeof hostSpecSchema>;

/** The Agent object of assisted-service for this host, by the hub's last report. */
export interface ObservedAgent extends Observation {
  /** The hub that sent the report. Reports of other hubs about their agents do not count for this host. */
  hub: string;
  name: string;
  /** `status.debugInfo.state`, such as known-unbound or added-to-existing-cluster. */
  state: string;
  /** The explanation of the state, for people. */
  message: string;
  /** The name of the cluster deployment that the agent is bound to, or empty. */
  bound_to: string;
  /** The cluster id in Slipway's label, or empty. */
  labelled_for: string;
  /** IP addresses of the agent's NICs. */
  addresses: string[];
}

export const hostStates = [
  "UNDISCOVERED",
  "DISCOVERING",
  "AVAILABLE",
  "RESERVED",
  "RECLAIMING",
  "CLEANING",
  "UPDATING",
  "OFF",
  "MAINTENANCE",
  "UNHEALTHY",
  "QUARANTINED",
  "RETIRED",
] as const;
export type HostState = `HOST_STATE_${(typeof hostStates)[number]}`;

/** IN_SERVICE: not quarantined. DPUS_REPORT: each of its DPUs reports. */
export const hostConditionTypes = [
  "HOST_CONDITION_TYPE_IN_SERVICE",
  "HOST_CONDITION_TYPE_DPUS_REPORT",
] as const;

export interface HostStatus {
  state: HostState;
  /** When `state` last changed. */
  since?: string;
  agent?: ObservedAgent;
  /**
   * The owner that holds the host, in the form for storage and the API, where the owner's role is called a node set.
   */
  owner?: Omit<NamedOwner, "role"> & { node_set: string };
  message?: string;
  /**
   * The inventory server from which the host was made, and its rack; `drift`: the differences from that
   * inventory.
   */
  inventory?: { site: string; server: string; rack?: string; drift?: string[] };
  /** Absent until a source reports. */
  health?: Health;
  /** A condition is absent until it first fails. */
  conditions?: Condition<(typeof hostConditionTypes)[number]>[];
}

/**
 * A person keeps the host out of the pool until they release it. A cluster that holds the host replaces it
 * first.
 */
export interface Maintenance {
  since: string;
  /** The user who requested it. */
  by: string;
  /** The message for the tenant who has the host. */
  tenant_message?: string;
  /** The operation of the cluster that replaces the host, if a cluster holds it. */
  operation?: OperationId;
}

/** A NIC and its port of a DPU. */
export interface DpuPort {
  nic: string;
  /** The id of the DPU. */
  dpu: string;
  port: string;
}

export interface Host extends StoredObject<"host", HostSpec, HostStatus>, Operated {
  maintenance?: Maintenance;
  /** The reports of sources; `status.health` follows from them. */
  health?: HealthRecord;
  /** Absent before the first work on the server, and for a host whose power Slipway does not manage. */
  server?: ServerRecord;
  /** The identity of its server; absent before its controller was asked. */
  identity?: ServerIdentity;
  /** A request to install its DPUs again before the next order gets the host. */
  reinstall?: { since: string; by: string };
  /** The firmware versions that its controller reported; absent before it was asked. */
  firmware?: FirmwareSeen[];
  /** A request to bring its firmware to the versions of its type before the next order gets the host. */
  firmware_update?: { since: string; by: string };
  /** The ids of its registered DPUs. */
  dpus?: string[];
  /** The port and DPU behind which each of its NICs was last seen. */
  dpu_ports?: DpuPort[];
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    host: Host;
  }
}
