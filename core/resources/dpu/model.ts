import * as z from "zod";
import { lineSchema } from "../../kernel/input/text.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import { bmcSchema } from "../host/bmc.ts";
import { macSchema } from "../host/model.ts";

/**
 * A DPU: a computer on the network card of a host, between the host's NICs and the switch. It has a controller and an
 * operating system of its own, and carries the host's packets as Slipway's configuration says.
 */

export const dpuPortSchema = z.strictObject({
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

export interface DpuStatus {
  state: DpuState;
  message?: string;
}

export interface Dpu extends StoredObject<"dpu", DpuSpec, DpuStatus> {
  /** The hub of its host. */
  hub: string;
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    dpu: Dpu;
  }
}
