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
 * A DPU: a computer on the network card of a host, between the host's NICs and the switch. It has a controller and an
 * operating system of its own, and carries the host's packets as Slipway's configuration says.
 */

const dpuPortSchema = z.strictObject({
  name: lineSchema(63).describe("Name of the port towards the host, such as `pf0hpf`."),
  host_mac: macSchema.optional().describe("MAC address of the host's NIC that is behind it."),
});

export const dpuSpecSchema = z.strictObject({
  serial: lineSchema(64).describe("Serial number, by which it says who it is."),
  bmc: bmcSchema,
  ports: z
    .array(dpuPortSchema)
    .min(1)
    .max(8)
    .describe("Ports towards the host, each with the NIC that is behind it."),
});

export interface DpuSpec extends z.infer<typeof dpuSpecSchema> {
  /** The host whose NICs are behind it. */
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

/** REPORTS: its agent is heard, as it has promised. */
export const dpuConditionTypes = ["DPU_CONDITION_TYPE_REPORTS"] as const;

export interface DpuStatus {
  state: DpuState;
  /** Since when it is in this state. */
  since?: string;
  message?: string;
  /** Its address in the site's management network. */
  address?: string;
  /** When its agent asked last for its network, to a few minutes. */
  last_heard_time?: string;
  /** The versions of its network configuration. */
  wanted_version?: number;
  applied_version?: number;
  /** When it told last what it has applied. */
  applied_time?: string;
  /** When it told last each thing that it tells on its way from its firmware to its agent. */
  told_times?: { [Member in keyof Told]?: string };
  leaf?: { asn: number; loopback: string };
  /** Each from the first time on that it did not hold. */
  conditions?: Condition<(typeof dpuConditionTypes)[number]>[];
  /** The addresses that DHCP gave the NICs behind it. */
  leases?: { mac: string; address: string }[];
}

export interface Dpu extends StoredObject<"dpu", DpuSpec, DpuStatus>, Operated {
  /** The hub of its host. */
  hub: string;
  /** Its numbers as a leaf, from their pools at the site. They are its own until it is gone. */
  numbers?: { site: string; asn?: number; loopback?: number };
  /** Which DPU it is; absent before its controller was asked. */
  identity?: ServerIdentity;
  /** The present boot of its installer. */
  boot?: Start;
  /** What it has reported since that boot, each with its time. */
  told?: Told;
  /** The subnets that the NICs behind it are to be in; absent while no tenant has its host. */
  stands?: DpuStand[];
  /** The networks that it has left, or stands elsewhere in, until it has reported so and the others there know. */
  leaving?: string[];
  /** The first version of its network in which they are just there. */
  stands_from?: number;
  /** Where they were before, with the first version of that, as long as it has not told otherwise. */
  former?: { stands: DpuStand[]; from?: number };
  /** The network configuration that it is to have. */
  wanted?: DpuNetwork & { version: number };
  /** When its agent asked last for its network: it asks far oftener than this is written. */
  heard_at?: string;
  /** The newest version that it was given then. */
  given_version?: number;
  /** What it has reported last of the configuration that it has. */
  applied?: { at: string } & Applied;
  /** That it is not heard, as its host knows by now. */
  silent?: { since: string; message: string };
  /** It was installed, is as its record says, and carries what it is configured to. */
  isProvisioned?: true;
  /** When that was so last. */
  installed_at?: string;
  /** Why it is quarantined until a person has it provisioned again. */
  quarantine?: Quarantine;
}

/** A NIC behind a DPU, in a subnet of an overlay. */
export interface DpuStand {
  mac: string;
  /** The port behind which the DPU has seen the NIC. */
  port: string;
  /** The ids of the network and of the subnet. */
  network: string;
  subnet: string;
  /** Its IPv4 address. */
  address: string;
  /** The ids of its security groups; with none it has the default group of the network. */
  groups: string[];
  /** The default route of the host leads there. */
  isPrimary: boolean;
  /** The external IP that leads to this address, by its attachment. */
  external?: { attachment: string; address: string };
}

/** What a DPU tells on its way from its firmware to its agent. */
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
