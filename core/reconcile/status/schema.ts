import * as z from "zod";
import { timeSchema } from "../../kernel/object/wire.ts";
import { switchSchema } from "../../kernel/request/switch-schema.ts";
import { lastErrorSchema } from "../../resources/hub/wire.ts";
import { capacityItemSchema, queueSchema, scarceSchema } from "../capacity.ts";

/** The wire form of the overall status. */

const count = z.int().min(0);

const openOperationSchema = z.object({
  operation: z.string().describe("Id of the operation."),
  change: z.string().describe("What it does to its target: CREATE, UPDATE or DELETE."),
  kind: z.string().describe("The kind of its target."),
  id: z.string().describe("The id of its target."),
  name: z.string().describe("The name that its target had when it began."),
  tenant: z.string().describe("The tenant that it is of."),
  project: z.string().optional().describe("The project that it is of."),
  step: z.string().describe("The step that it has come to."),
  message: z.string().describe("What it waits for, or why it is stuck, in words."),
  since: timeSchema.optional().describe("Since when."),
});
export type OpenOperation = z.output<typeof openOperationSchema>;

const waitGroupSchema = z.object({
  system: z
    .string()
    .describe("The system that they wait for, such as `hub`, `DNS` or `placement`."),
  hub: z.string().optional().describe("Id of the hub, where it is one."),
  ...scarceSchema,
  waits_for: scarceSchema.waits_for
    .optional()
    .describe("What they queue for, where they wait for something scarce."),
  site: z.string().optional().describe("Id of the site, where it is one of a site."),
  operations: count.describe("How many operations wait for it."),
  stalled: count.describe("How many of them take longer than they should."),
  kept: count
    .optional()
    .describe(
      "Of hosts: how many are free and reserved for tenants by allocations; absent for none.",
    ),
  kept_for_others: count
    .optional()
    .describe(
      "How many of these operations may not have all of those hosts, as they are reserved for other tenants.",
    ),
  since: timeSchema.optional().describe("Since when the first of them waits."),
  example: openOperationSchema.describe("The one that has waited longest."),
});
export type WaitGroup = z.output<typeof waitGroupSchema>;

const allocationSchema = z.object({
  id: z.string().describe("Id of the allocation."),
  name: z.string().describe("Its name."),
  tenant: z.string().describe("The tenant that the hosts are reserved for."),
  host_types: z.array(z.string()).describe("Names of the types of its hosts."),
  reserved: count.describe("How many hosts it is to have."),
  kept: count.describe("How many are free, and only for its tenant's orders."),
  used: count.describe("How many its tenant's orders hold."),
  lacking: count.describe("How many are not there yet."),
  free: count.describe("How many hosts of its types are free for all beside these."),
});

const lateSchema = z.object({
  kind: z.string().describe("The kind of the object: `host`, `dpu` or `baremetal_instance`."),
  id: z.string().describe("Its id."),
  name: z.string().describe("Its name."),
  tenant: z.string().describe("The tenant that it is of."),
  state: z.string().describe("The state that it is in."),
  ends: timeSchema.describe("When the SLA of that state was over."),
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
  reason: z.enum(attentionReasons).describe("What is not well, as one word for programs."),
  kind: z.string().describe("The kind of the object that is not well."),
  id: z.string().describe("Its id."),
  name: z.string().describe("Its name."),
  tenant: z.string().describe("The tenant that it is of; `shared` for what is the provider's."),
  message: z.string().describe("Why, in words: the system, the call and what was seen."),
  since: timeSchema.describe("Since when."),
  operation: z.string().optional().describe("Id of the operation that works on it."),
  command: z.string().describe("What to do, or where to look: a command."),
});
export type Attention = z.output<typeof attentionSchema>;

const unwellHubSchema = z.object({
  id: z.string().describe("Id of the hub."),
  name: z.string().describe("Name of the hub."),
  state: z.string().describe("Its state."),
  cordoned: z.boolean().describe("Whether it is cordoned."),
  unobserved: z.boolean().describe("Whether its agent cannot watch every kind."),
  message: z.string().optional().describe("Why, in words."),
  since: timeSchema.optional().describe("Since when it is not reached, not heard or not observed."),
  last_heard_time: timeSchema.optional().describe("When its agent last reported."),
  agent_version: z.string().optional().describe("The version of its agent."),
  last_reached_time: timeSchema
    .optional()
    .describe("When Slipway last reached it, to within a quarter of an hour."),
  last_error: lastErrorSchema.optional(),
  control_planes: z
    .object({
      total: count.describe("How many it can carry."),
      used: count.describe("How many it carries."),
      free: count.describe("How many more it can take."),
    })
    .describe("The control planes of clusters."),
});

export const statusSchema = z.object({
  time: timeSchema.describe("When this was read."),
  operations: z
    .object({
      pending: count.describe("How many are accepted and have not begun."),
      queued: count.describe("How many wait until the one before them has ended."),
      running: count.describe("How many have begun and not ended."),
      waiting: count.describe("How many of those that run wait for something."),
      stalled: count.describe(
        "How many of those that run take longer than they should, but for those on hosts whose health suppresses alarms.",
      ),
      stuck: count.describe("How many need an operator."),
      unread: count.describe(
        "How many more there are at least, where there are too many to read all: they are in no other number here.",
      ),
    })
    .describe("Operations that have not ended."),
  objects: z
    .array(
      z.object({
        kind: z.string().describe("Their kind."),
        total: count.describe("How many there are."),
        creating: count.describe("How many are being made."),
        changing: count.describe("How many are being changed."),
        deleting: count.describe("How many are being removed."),
        failed: count.describe(
          "How many have had a failed operation last; 1001 stands for all above a thousand.",
        ),
      }),
    )
    .describe("Objects that operations change, by kind."),
  attention: z
    .array(attentionSchema)
    .describe(
      "What needs an operator: the first fifty, the worst first and of each kind the oldest. Of each kind 200 are read; hosts whose health suppresses alarms are left out.",
    ),
  more_attention: count.describe("How many more of these there are."),
  stuck: z
    .array(openOperationSchema)
    .describe("Operations that need an operator: the first twenty."),
  waits: z
    .array(waitGroupSchema)
    .describe(
      "What operations wait for, what most wait for first; an operation that waits for two is in both.",
    ),
  more_waits: count.describe("How many more of these there are: a hundred are shown."),
  beyond_sla: z
    .array(lateSchema)
    .describe(
      "Hosts, DPUs and servers that are longer in a state than its SLA says: the first twenty, the latest first. Of each state a thousand are read; those of hosts whose health suppresses alarms are left out.",
    ),
  more_beyond_sla: count.describe("How many more of these there are."),
  queues: z.array(queueSchema).describe("Queues with operations in them."),
  allocations: z
    .array(allocationSchema)
    .describe("Hosts that are reserved for tenants, those that lack most first: the first twenty."),
  more_allocations: count.describe("How many more of these there are."),
  next_out: z
    .array(capacityItemSchema)
    .describe(
      "What runs out next of all that orders can still get, what lasts shortest first: five of it.",
    ),
  switches: z
    .object({
      intake: switchSchema.describe("Whether tenants' changes are taken."),
      removal: switchSchema.describe("Whether orphans are removed."),
    })
    .describe("The switches of the whole deployment."),
  hubs: z
    .object({
      total: count.describe("How many there are."),
      ready: count.describe("How many take orders, and are well otherwise."),
      cordoned: count.describe("How many are cordoned, and well otherwise."),
      incomplete: count.describe("How many lack a setting."),
      pending: count.describe("How many were not heard yet."),
      unreachable: count.describe("How many do not report, or are not reached."),
      unobserved: count.describe(
        "How many take orders, and have an agent that cannot watch every kind.",
      ),
      items: z
        .array(unwellHubSchema)
        .describe(
          "Those that take no orders or are not observed: the first twenty, what is worst first.",
        ),
    })
    .describe("Hubs by state."),
});
export type Status = z.output<typeof statusSchema>;
