import * as z from "zod";
import {
  conditionSchema,
  conditionView,
  metadataSchema,
  metadataView,
  referenceSchema,
  timeSchema,
} from "../../kernel/object/wire.ts";
import type { WireForm } from "../../kernel/object/wire-form.ts";
import { workSchema } from "../../kernel/saga/wait.ts";
import { identityMember, identityShown } from "../../machine/identity.ts";
import { slaMember } from "../../machine/sla.ts";
import { bmcShownSchema, specShown } from "../host/bmc.ts";
import { type Dpu, type DpuState, dpuConditionTypes, dpuSpecSchema, dpuStates } from "./model.ts";

const states = dpuStates.map((state) => `DPU_STATE_${state}` as const) as [DpuState, ...DpuState[]];

export const dpuSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: dpuSpecSchema.extend({
    host: referenceSchema.describe("The host whose NICs are behind it."),
    bmc: bmcShownSchema,
  }),
  status: z.object({
    state: z.enum(states).describe("What the DPU is doing now."),
    since: timeSchema.optional().describe("When `state` last changed."),
    message: z
      .string()
      .optional()
      .describe("Why it is quarantined: what was expected, and what was seen."),
    conditions: z
      .array(conditionSchema(dpuConditionTypes))
      .optional()
      .describe("REPORTS: its agent reports. Absent until the first time it does not."),
    address: z.string().optional().describe("Its address in the site's management network."),
    wanted_version: z
      .int()
      .optional()
      .describe("The desired version of its network configuration."),
    last_heard_time: timeSchema
      .optional()
      .describe("When its agent last requested its network, to ten minutes."),
    applied_version: z.int().optional().describe("The version in its last report."),
    applied_time: timeSchema.optional().describe("Time of its last report of the version."),
    told_times: z
      .object({
        boot: timeSchema.optional().describe("It requested its boot script."),
        address: timeSchema.optional().describe("It got an address."),
        seed: timeSchema.optional().describe("Its image requested its seed."),
        phone_home: timeSchema.optional().describe("Its cloud-init finished."),
        discovery: timeSchema
          .optional()
          .describe("Time of its last report of the MAC addresses on its ports."),
        health: timeSchema.optional().describe("It reported its health."),
      })
      .optional()
      .describe("Time of the last report of each type since the installation."),
    leaf: z
      .object({
        asn: z.int().describe("Its ASN."),
        loopback: z.string().describe("The address of its loopback."),
      })
      .optional()
      .describe("The DPU as a leaf of the fabric."),
    leases: z
      .array(
        z.object({
          mac: z.string().describe("MAC address of the NIC."),
          address: z.string().describe("Its address."),
        }),
      )
      .optional()
      .describe("The DHCP addresses of the NICs behind it, in its last report."),
    ...slaMember,
    ...identityMember,
    ...workSchema,
  }),
});

function dpuView(dpu: Dpu): z.output<typeof dpuSchema> {
  const { conditions, ...status } = dpu.status;
  return {
    id: dpu.id,
    metadata: metadataView(dpu),
    spec: specShown(dpu),
    status: {
      ...status,
      ...identityShown(dpu),
      ...(conditions && { conditions: conditions.map(conditionView) }),
      ...(dpu.operation !== undefined && { operation: dpu.operation }),
    },
  };
}

export const wire: WireForm<"dpu"> = { view: dpuView };
