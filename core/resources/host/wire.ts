import * as z from "zod";
import {
  conditionSchema,
  conditionView,
  metadataSchema,
  metadataView,
  timeSchema,
} from "../../kernel/object/wire.ts";
import type { WireForm } from "../../kernel/object/wire-form.ts";
import { workSchema } from "../../kernel/saga/wait.ts";
import { identityMember } from "../../machine/identity.ts";
import { slaMember } from "../../machine/sla.ts";
import { erasureMethods } from "../../ports/bare-metal/erasure.ts";
import { firmwareComponents } from "../../ports/bare-metal/firmware.ts";
import { bmcShownSchema, specShown } from "./bmc.ts";
import { healthSchema } from "./health-wire.ts";
import {
  type Host,
  type HostState,
  hostConditionTypes,
  hostSpecSchema,
  hostStates,
} from "./model.ts";
import { driveStates, serverConditions } from "./server.ts";
import { hostStatusShown } from "./shown.ts";

const states = hostStates.map((state) => `HOST_STATE_${state}` as const) as [
  HostState,
  ...HostState[],
];

const serverSchema = z.object({
  condition: z
    .enum(serverConditions.map((name) => `SERVER_CONDITION_${name}` as const))
    .describe(
      "`UNKNOWN`: its drives have unknown data. `USED`: its drives are not erased since the last owner. `CLEAN`: its drives are erased. `READY`: it is also discovered.",
    ),
  power: z.string().optional().describe("Its power in its controller's last report."),
  power_time: timeSchema.optional().describe("Time of that report."),
  retired: z.boolean().optional().describe("Whether it is out of service for good."),
  quarantine: z
    .object({
      since: timeSchema.describe("When it was quarantined."),
      step: z.string().optional().describe("The step that failed."),
      reason: z.string().describe("What was expected, and what was seen."),
    })
    .optional()
    .describe(
      "Why it is quarantined: `retry`, `release` or `retire` it. A host with a silent DPU returns by itself once the DPU reports.",
    ),
  differences: z
    .array(
      z.object({
        field: z.string().describe("What differs."),
        expected: z.string().describe("The value in the inventory or host type."),
        seen: z.string().describe("The value in its agent's report."),
      }),
    )
    .optional()
    .describe("Differences from the expected hardware."),
  drives: z
    .array(
      z.object({
        name: z.string().describe("Its name at the controller."),
        serial: z.string().optional().describe("Its serial number."),
        wwn: z.string().optional().describe("Its World Wide Name, in hexadecimal."),
        method: z.enum(erasureMethods).describe("How it was erased."),
        state: z.enum(driveStates).describe("The result."),
        message: z.string().describe("The controller's message."),
        erased_at: timeSchema.optional().describe("When its erasure was confirmed."),
      }),
    )
    .optional()
    .describe("Its drives, each with its last erasure."),
});

export const hostSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: hostSpecSchema.extend({
    bmc: bmcShownSchema,
  }),
  status: z.object({
    state: z.enum(states).describe("What the host is doing now."),
    since: timeSchema.optional().describe("When `state` last changed."),
    message: z.string().optional().describe("Why, in words."),
    conditions: z
      .array(conditionSchema(hostConditionTypes))
      .optional()
      .describe(
        "IN_SERVICE: it is not quarantined. DPUS_REPORT: each of its DPUs reports. Each is absent until it is first false.",
      ),
    maintenance: z
      .object({
        since: timeSchema.describe("Since when."),
        by: z.string().describe("Who requested it."),
        tenant_message: z.string().optional().describe("The reason for the host's tenant."),
        operation: z
          .string()
          .optional()
          .describe("The operation that replaces it in its cluster; absent without a cluster."),
      })
      .optional()
      .describe("Its maintenance, until a person releases it."),
    owner: z
      .object({
        tenant: z.string().describe("Name of its owner's tenant."),
        kind: z
          .enum(["cluster", "baremetal_instance"])
          .describe("The kind of its owner: a cluster or a bare-metal server."),
        id: z.string().describe("Id of its owner."),
        name: z.string().optional().describe("Name of its owner."),
        node_set: z
          .string()
          .describe("Name of its node set in the cluster; `server` for a server."),
      })
      .optional()
      .describe("Its cluster or server; absent for a free host."),
    ...slaMember,
    ...identityMember,
    ...workSchema,
    reinstall: z
      .object({
        since: timeSchema.describe("Since when."),
        by: z.string().describe("Who requested it."),
      })
      .optional()
      .describe("The request to reinstall its DPUs before its next order."),
    firmware: z
      .array(
        z.object({
          component: z.enum(firmwareComponents).describe("The component."),
          version: z.string().describe("The version in its controller's last report."),
          since: timeSchema.describe("Time of the first report of that version."),
          wanted: z
            .string()
            .optional()
            .describe("The version of its host type; absent without one."),
          stale: z.boolean().optional().describe("Whether the two versions differ."),
        }),
      )
      .optional()
      .describe("Its firmware in its controller's report at the last discovery or update."),
    firmware_update: z
      .object({
        since: timeSchema.describe("Since when."),
        by: z.string().describe("Who requested it."),
      })
      .optional()
      .describe("The request to update its firmware before its next order."),
    health: healthSchema
      .optional()
      .describe("Its health and that of its DPUs; absent before the first report."),
    server: serverSchema
      .optional()
      .describe("The server; absent if Slipway does not manage its power."),
    dpu_ports: z
      .array(
        z.object({
          nic: z.string().describe("Name of the NIC."),
          dpu: z.string().describe("Id of the DPU."),
          port: z.string().describe("Name of the DPU's port."),
        }),
      )
      .optional()
      .describe("The DPU and port in front of each NIC."),
    inventory: z
      .object({
        site: z.string().describe("Id of the site whose inventory it is."),
        server: z.string().describe("The server's id there."),
        rack: z.string().optional().describe("Its rack."),
        drift: z
          .array(z.string())
          .optional()
          .describe("Differences in the inventory that an operator has to decide."),
      })
      .optional()
      .describe("The server in the site's inventory that the host comes from."),
    agent: z
      .object({
        name: z.string().describe("Name of the Agent on the hub."),
        state: z.string().describe("Its state on the hub."),
        message: z.string().describe("The hub's message."),
        bound_to: z.string().describe("Its cluster on the hub; empty for none."),
        gone: z.boolean().describe("Whether the Agent was deleted."),
        observed_at: timeSchema.describe("Time of the hub's last report of a change."),
      })
      .optional()
      .describe("The host's Agent on the hub."),
  }),
});

function hostView(host: Host): z.output<typeof hostSchema> {
  const { conditions, ...status } = hostStatusShown(host);
  return {
    id: host.id,
    metadata: metadataView(host),
    spec: specShown(host),
    status: { ...status, ...(conditions && { conditions: conditions.map(conditionView) }) },
  };
}

export const wire: WireForm<"host"> = {
  view: hostView,
};
