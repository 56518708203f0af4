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
      "`UNKNOWN`: nobody knows what is on its drives. `USED`: they are not erased since its last owner. `CLEAN`: they are erased. `READY`: it is discovered as well.",
    ),
  power: z.string().optional().describe("Its power, as its controller said last."),
  power_time: timeSchema.optional().describe("When its controller said so."),
  retired: z.boolean().optional().describe("Whether it is out of service for good."),
  quarantine: z
    .object({
      since: timeSchema.describe("When it was quarantined."),
      step: z.string().optional().describe("The step that failed."),
      reason: z.string().describe("What was expected, and what was seen."),
    })
    .optional()
    .describe(
      "Why it is quarantined: `retry`, `release` or `retire` it. One with a silent DPU returns by itself when the DPU reports.",
    ),
  differences: z
    .array(
      z.object({
        field: z.string().describe("What differs."),
        expected: z.string().describe("What the inventory or the host type says."),
        seen: z.string().describe("What its agent reports."),
      }),
    )
    .optional()
    .describe("How its hardware differs from what it should be."),
  drives: z
    .array(
      z.object({
        name: z.string().describe("Its name at the controller."),
        serial: z.string().optional().describe("Its serial number."),
        wwn: z.string().optional().describe("Its World Wide Name, in hexadecimal."),
        method: z.enum(erasureMethods).describe("How it was erased."),
        state: z.enum(driveStates).describe("How that went."),
        message: z.string().describe("What the controller said of it."),
        erased_at: timeSchema.optional().describe("When it was found erased."),
      }),
    )
    .optional()
    .describe("Its drives, and how each was erased last."),
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
        "IN_SERVICE: it is not quarantined. DPUS_REPORT: each of its DPUs reports. Each from the first time on that it did not hold.",
      ),
    maintenance: z
      .object({
        since: timeSchema.describe("Since when."),
        by: z.string().describe("Who has asked for it."),
        tenant_message: z
          .string()
          .optional()
          .describe("Why, in the words for the tenant that has the host."),
        operation: z
          .string()
          .optional()
          .describe("The operation that replaces it in its cluster; absent for a host of none."),
      })
      .optional()
      .describe("A person keeps it out of the pool, until it is released."),
    owner: z
      .object({
        tenant: z.string().describe("Name of its owner's tenant."),
        kind: z
          .enum(["cluster", "baremetal_instance"])
          .describe("The kind of its owner: a cluster, or a server that is ordered whole."),
        id: z.string().describe("Id of its owner."),
        name: z.string().optional().describe("Name of its owner."),
        node_set: z
          .string()
          .describe("Name of the cluster's node set that it is in; `server` for a server."),
      })
      .optional()
      .describe("The cluster or the server that has it; absent for a free host."),
    ...slaMember,
    ...identityMember,
    ...workSchema,
    reinstall: z
      .object({
        since: timeSchema.describe("Since when."),
        by: z.string().describe("Who has asked for it."),
      })
      .optional()
      .describe("Its DPUs are to be installed anew before the next order gets it."),
    firmware: z
      .array(
        z.object({
          component: z.enum(firmwareComponents).describe("What it is the firmware of."),
          version: z.string().describe("The version in its controller's last report."),
          since: timeSchema.describe("Time of the first report of that version."),
          wanted: z
            .string()
            .optional()
            .describe("The version that its type asks for; absent where that asks for none."),
          stale: z.boolean().optional().describe("Whether the version is another one than that."),
        }),
      )
      .optional()
      .describe("Its firmware in its controller's report at the last discovery or update."),
    firmware_update: z
      .object({
        since: timeSchema.describe("Since when."),
        by: z.string().describe("Who has asked for it."),
      })
      .optional()
      .describe("Its firmware is to be what its type asks for before the next order gets it."),
    health: healthSchema
      .optional()
      .describe("Its health and that of its DPUs; absent while nobody has reported."),
    server: serverSchema
      .optional()
      .describe("What Slipway did to it; absent for a host whose power somebody else manages."),
    dpu_ports: z
      .array(
        z.object({
          nic: z.string().describe("Name of the NIC."),
          dpu: z.string().describe("Id of the DPU."),
          port: z.string().describe("Name of the DPU's port."),
        }),
      )
      .optional()
      .describe("Behind which port of which DPU each of its NICs was seen."),
    inventory: z
      .object({
        site: z.string().describe("Id of the site whose inventory it is."),
        server: z.string().describe("The server's id there."),
        rack: z.string().optional().describe("The rack that it stands in."),
        drift: z
          .array(z.string())
          .optional()
          .describe("What is otherwise there, and waits for somebody to decide."),
      })
      .optional()
      .describe("The server of a site's inventory that the host was made of."),
    agent: z
      .object({
        name: z.string().describe("Name of the Agent on the hub."),
        state: z.string().describe("What the hub says of it."),
        message: z.string().describe("What the hub says more, in words."),
        bound_to: z.string().describe("The cluster that the hub has bound it to; empty for none."),
        gone: z.boolean().describe("Whether the hub has no such Agent any more."),
        observed_at: timeSchema.describe("Time of the hub's last report of a change."),
      })
      .optional()
      .describe("The Agent of the hub that stands for the host."),
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
