import * as z from "zod";
import { lineSchema } from "../../kernel/input/text.ts";
import type { Condition } from "../../kernel/object/condition.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { Operated } from "../../kernel/object/traits.ts";
import type { Start } from "../../machine/boot.ts";
import type { HealthReportInput } from "../../machine/health-report.ts";
import type { ServerIdentity } from "../../machine/identity.ts";
import type { Applied, Discovery } from "../../machine/requests.ts";
import { bmcSchema } from "../host/bmc.ts";
import { macSchema } from "../host/model.ts";
import type { Quarantine } from "../host/server.ts";
import type { DpuNetwork } from "./network.ts";

/**
 * A DPU: a computer on a host's network card, between the host's NICs and the switch. It has its own controller and
 * operating system, and forwards the host's packets by the configuration from Slipway.
 */

const dpuPortSchema = z.strictObject({
  name: lineSchema(63).describe("Name of the port towards the host, such as `pf0hpf`."),
  host_mac: macSchema.optional().describe("MAC address of the host's NIC that is behind it."),
});

export const dpuSpecSchema = z.strictObject({
  serial: lineSchema(64).describe("Serial number, which identifies its reports."),
  bmc: bmcSchema,
  ports: z
    .array(dpuPortSchema)
    .min(1)
    .max(8)
    .describe("Ports towards the host, each with the NIC that is behind it."),
});

export interface DpuSpec extends z.infer<typeof dpuSpecSchema> {
  host: Reference;
}

export const dpuStates = [
  "UNDISCOVERED",
  "PROVISIONING",
  "READY",
  "QUARANTINED",
  "RETIRED",
] as const;
export type DpuState = `DPU_STATE_${(typeof dpuStates)[number]}`;

/** REPORTS: its agent reports within the promised interval. */
export const dpuConditionTypes = ["DPU_CONDITION_TYPE_REPORTS"] as const;

export interface DpuStatus {
  state: DpuState;
  /** When it entered this state. */
  since?: string;
  message?: string;
  /** Its address in the management network of its site. */
  address?: string;
  /** When its agent last requested its network configuration, to within a few minutes. */
  last_heard_time?: string;
  /** The desired version of its network configuration, and the applied one. */
  wanted_version?: number;
  applied_version?: number;
  /** When it last reported which version it has applied. */
  applied_time?: string;
  /** The time of its last report of each sort, from its firmware's boot to its agent. */
  told_times?: { [Member in keyof Told]?: string };
  leaf?: { asn: number; loopback: string };
  /** A condition is absent until it first fails. */
  conditions?: Condition<(typeof dpuConditionTypes)[number]>[];
  /** The addresses of the NICs behind it, as its DHCP gave them. */
  leases?: { mac: string; address: string }[];
}

export interface Dpu extends StoredObject<"dpu", DpuSpec, DpuStatus>, Operated {
  hub: string;
  /** Its numbers as a leaf, from the pools of its site. It keeps them until it is deleted. */
  numbers?: { site: string; asn?: number; loopback?: number };
  /** The identity of the DPU; absent before its controller was asked. */
  identity?: ServerIdentity;
  /** The present boot of its installer. */
  boot?: Start;
  told?: Told;
  /** The desired subnets of the NICs behind it, while a tenant has its host. */
  stands?: DpuStand[];
  /**
   * Networks that it has left, or in which its NICs have moved, until it and the network's other DPUs have
   * reported the change.
   */
  leaving?: string[];
  /** The first version of its configuration with the present places of the NICs. */
  stands_from?: number;
  /** The previous places, and the first version with the new ones, until the DPU reports that version. */
  former?: { stands: DpuStand[]; from?: number };
  /** The desired network configuration. */
  wanted?: DpuNetwork & { version: number };
  /** When its agent last requested its network configuration; not every request is recorded. */
  heard_at?: string;
  /** The newest version that its agent had received at that time. */
  given_version?: number;
  /** Its last report of the configuration that it has applied. */
  applied?: { at: string } & Applied;
  /** Present while its agent does not report, copied from its host. */
  silent?: { since: string; message: string };
  /** Whether it is installed, agrees with its record, and has applied its configuration. */
  isProvisioned?: true;
  /** The last time at which all of this was true. */
  installed_at?: string;
  /** The reason for its quarantine, which ends when an operator requests its provisioning. */
  quarantine?: Quarantine;
}

/** A NIC behind a DPU, and its place in a subnet of an overlay. */
export interface DpuStand {
  mac: string;
  /** The port on which the DPU has seen the NIC. */
  port: string;
  /** The ids of the network and of the subnet. */
  network: string;
  subnet: string;
  /** Its IPv4 address. */
  address: string;
  /** The ids of its security groups; without any, the default group of the network applies. */
  groups: string[];
  /** Whether the host's default route is in this subnet. */
  isPrimary: boolean;
  /** The external IP that leads to this address, and the attachment that connects it. */
  external?: { attachment: string; address: string };
}

/** The reports of a DPU, from its firmware's boot to its agent. */
export interface Told {
  boot?: { at: string };
  address?: { at: string; is: string };
  seed?: { at: string };
  phone_home?: { at: string };
  discovery?: { at: string } & Discovery;
  health?: { at: string } & HealthReportInput;
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    dpu: Dpu;
  }
}
