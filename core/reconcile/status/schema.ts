import * as z from "zod";
import { timeSchema } from "../../kernel/object/wire.ts";
import { switchSchema } from "../../kernel/request/switch-schema.ts";
import { lastErrorSchema } from "../../resources/hub/wire.ts";
import { capacityItemSchema, queueSchema, scarceSchema } from "../capacity-schema.ts";

/** The wire form of the overall status. */

const count = z.int().min(0);

const openOperationSchema = z.object({
  operation: z.string().describe("Id of the operation."),
  change: z.string().describe("What it does to its target: CREATE, UPDATE or DELETE."),
  kind: z.string().describe("The kind of its target."),
  id: z.string().describe("The id of its target."),
  name: z.string().describe("The name of its target at its start."),
  tenant: z.string().describe("Its tenant."),
  project: z.string().optional().describe("Its project."),
  step: z.string().describe("Its present step."),
  message: z.string().describe("What it waits for, or why it is stuck, in words."),
  since: timeSchema.optional().describe("Since when."),
});
export type OpenOperation = z.output<typeof openOperationSchema>;

const waitGroupSchema = z.object({
  system: z
    .string()
    .describe("The system that they wait for, such as `hub`, `DNS` or `placement`."),
  hub: z.string().optional().describe("Id of the hub, if the system is a hub."),
  ...scarceSchema,
  waits_for: scarceSchema.waits_for
    .optional()
    .describe("The resource that they queue for; absent if they wait for a system."),
  site: z.string().optional().describe("Id of the site, if the system or resource is at a site."),
  operations: count.describe("Number of operations that wait for it."),
  stalled: count.describe("Number of them that are late."),
  kept: count
    .optional()
    .describe(
      "For hosts: number of free hosts that allocations reserve for tenants; absent if there are none.",
    ),
  kept_for_others: count
    .optional()
    .describe(
      "Number of these operations for which some of those hosts are not available, because they are reserved for other tenants.",
    ),
  since: timeSchema.optional().describe("When the first of them began to wait."),
  example: openOperationSchema.describe("The operation that has waited longest."),
});
export type WaitGroup = z.output<typeof waitGroupSchema>;

const allocationSchema = z.object({
  id: z.string().describe("Id of the allocation."),
  name: z.string().describe("Its name."),
  tenant: z.string().describe("The tenant for which the hosts are reserved."),
  host_types: z.array(z.string()).describe("Names of the types of its hosts."),
  reserved: count.describe("Desired number of hosts."),
  kept: count.describe("Number of free hosts, which only its tenant's orders can get."),
  used: count.describe("Number of hosts in use by its tenant's orders."),
  lacking: count.describe("Number of missing hosts."),
  free: count.describe("Number of unreserved free hosts of its types."),
});

const lateSchema = z.object({
  kind: z.string().describe("The kind of the object: `host`, `dpu` or `baremetal_instance`."),
  id: z.string().describe("Its id."),
  name: z.string().describe("Its name."),
  tenant: z.string().describe("Its tenant."),
  state: z.string().describe("Its state."),
  ends: timeSchema.describe("When the SLA of that state ended."),
  operation: z.string().optional().describe("Id of the operation that works on it."),
});

/** The reasons for attention, the most severe first. */
export const attentionReasons = [
  "CertificateEnded",
  "HubUnreachable",
  "HubUnobserved",
  "OperationStuck",
  "DpuSilent",
  "ServerOnSilentDpu",
  "ServerOnQuarantinedHost",
  "HostQuarantined",
  "DpuQuarantined",
  "CapacityShort",
  "OperationStalled",
  "WebhookFailing",
  "CertificateEnds",
] as const;

const attentionSchema = z.object({
  reason: z.enum(attentionReasons).describe("The problem, as one word for programs."),
  kind: z.string().describe("The kind of the faulty object."),
  id: z.string().describe("Its id."),
  name: z.string().describe("Its name."),
  tenant: z.string().describe("Its tenant; `shared` for objects of the provider."),
  message: z.string().describe("The reason: the system, the call and the observation."),
  since: timeSchema.describe("Since when."),
  operation: z.string().optional().describe("Id of the operation that works on it."),
  command: z.string().describe("A command that solves the problem or shows details."),
});
export type Attention = z.output<typeof attentionSchema>;

const unwellHubSchema = z.object({
  id: z.string().describe("Id of the hub."),
  name: z.string().describe("Name of the hub."),
  state: z.string().describe("Its state."),
  cordoned: z.boolean().describe("Whether it is cordoned."),
  unobserved: z.boolean().describe("Whether its agent cannot watch every kind."),
  message: z.string().optional().describe("Why, in words."),
  since: timeSchema.optional().describe("Since when it is unreachable, silent or not observed."),
  last_heard_time: timeSchema.optional().describe("When its agent last reported."),
  agent_version: z.string().optional().describe("The version of its agent."),
  last_reached_time: timeSchema
    .optional()
    .describe("When Slipway last reached it, to within a quarter of an hour."),
  last_error: lastErrorSchema.optional(),
  control_planes: z
    .object({
      total: count.describe("Its capacity."),
      used: count.describe("Number in use."),
      free: count.describe("Number that are free."),
    })
    .describe("The control planes of clusters."),
});

export const statusSchema = z.object({
  time: timeSchema.describe("When this was read."),
  operations: z
    .object({
      pending: count.describe("Number of operations that are accepted and have not begun."),
      queued: count.describe("Number of operations that wait for the end of the previous one."),
      running: count.describe("Number of running operations."),
      waiting: count.describe("Number of running operations that wait for something."),
      stalled: count.describe(
        "Number of running operations that are late, except those on hosts whose health suppresses alarms.",
      ),
      stuck: count.describe("Number of operations that require operator action."),
      unread: count.describe(
        "If there are too many to read all: the least number of further operations, which no other number here includes.",
      ),
    })
    .describe("Operations that have not ended."),
  objects: z
    .array(
      z.object({
        kind: z.string().describe("Their kind."),
        total: count.describe("Number of objects."),
        creating: count.describe("Number of objects being created."),
        changing: count.describe("Number of objects being changed."),
        deleting: count.describe("Number of objects being deleted."),
        failed: count.describe(
          "Number of objects whose last operation failed; 1001 stands for more than a thousand.",
        ),
      }),
    )
    .describe("Objects that operations change, by kind."),
  attention: z
    .array(attentionSchema)
    .describe(
      "Problems that require operator action: the first fifty, the worst first and of each kind the oldest. 200 of each kind are read; hosts whose health suppresses alarms are left out.",
    ),
  more_attention: count.describe("Number of further entries."),
  stuck: z
    .array(openOperationSchema)
    .describe("Operations that require operator action: the first twenty."),
  waits: z
    .array(waitGroupSchema)
    .describe(
      "What operations wait for, the most frequent first. An operation that waits for two systems counts for both.",
    ),
  more_waits: count.describe("Number of further entries; a hundred are shown."),
  beyond_sla: z
    .array(lateSchema)
    .describe(
      "Hosts, DPUs and servers that exceed the SLA of their state: the first twenty, the latest first. A thousand of each state are read; those of hosts whose health suppresses alarms are left out.",
    ),
  more_beyond_sla: count.describe("Number of further entries."),
  queues: z.array(queueSchema).describe("Queues with operations in them."),
  allocations: z
    .array(allocationSchema)
    .describe("Allocations of hosts: the first twenty, those that lack most hosts first."),
  more_allocations: count.describe("Number of further entries."),
  next_out: z
    .array(capacityItemSchema)
    .describe("The five resources that run out next, the soonest first."),
  switches: z
    .object({
      intake: switchSchema.describe("Whether tenants' changes are accepted."),
      removal: switchSchema.describe("Whether orphans are removed."),
    })
    .describe("The switches of the whole deployment."),
  hubs: z
    .object({
      total: count.describe("Number of hubs."),
      ready: count.describe("Number of hubs that are ready."),
      cordoned: count.describe("Number of hubs that are cordoned and have no problem."),
      incomplete: count.describe("Number of hubs that lack a setting."),
      pending: count.describe("Number of hubs that have never reported."),
      unreachable: count.describe("Number of hubs that are silent or unreachable."),
      unobserved: count.describe(
        "Number of hubs that take orders although their agent cannot watch every kind.",
      ),
      items: z
        .array(unwellHubSchema)
        .describe(
          "Hubs that take no orders or are not observed: the first twenty, the worst first.",
        ),
    })
    .describe("Hubs by state."),
});
export type Status = z.output<typeof statusSchema>;
