import * as z from "zod";
import {
  conditionSchema,
  masked,
  metadataSchema,
  metadataView,
  referenceSchema,
  timeSchema,
} from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import { failureSchema, failureView } from "../../kernel/saga/failure.ts";
import { workSchema } from "../../kernel/saga/wait.ts";
import { slaMember } from "../../machine/sla.ts";
import { racksAsked } from "../../placement/pool/host.ts";
import {
  imageShownSchema,
  osacImage,
  runStrategies,
} from "../baremetal-instance-template/order-input.ts";
import { wrapped } from "../cluster-template/any.ts";
import { placementInputSchema } from "../cluster-template/order-input.ts";
import { given } from "./consent.ts";
import {
  type BaremetalInstance,
  type Batch,
  instanceConditionTypes,
  instanceStates,
} from "./model.ts";
import { everyStand } from "./networks.ts";
import type { Repair } from "./repair.ts";
import { lastPower } from "./status.ts";

const states = instanceStates.map((state) => `BARE_METAL_INSTANCE_STATE_${state}` as const);
const conditionTypes = instanceConditionTypes.map(
  (type) => `BARE_METAL_INSTANCE_CONDITION_TYPE_${type}` as const,
) as [
  `BARE_METAL_INSTANCE_CONDITION_TYPE_${(typeof instanceConditionTypes)[number]}`,
  ...`BARE_METAL_INSTANCE_CONDITION_TYPE_${(typeof instanceConditionTypes)[number]}`[],
];

export const baremetalInstanceSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    catalog_item: referenceSchema.describe("The offer of its order."),
    template_parameters: z
      .record(z.string(), z.json())
      .describe("Values of the template's parameters, by name."),
    image: imageShownSchema.describe("What the server boots."),
    ssh_public_key: z.string().optional().describe("OpenSSH public key that may log in."),
    user_data: z
      .literal(masked)
      .optional()
      .describe("Stands for the user data that it was ordered with; absent without."),
    run_strategy: z.enum(runStrategies).describe("Whether the server is to run."),
    restart_trigger: z.int().optional().describe("Any other number restarts the server once."),
    network_attachments: z
      .array(
        z.object({
          subnet: referenceSchema.describe("The subnet that it stands in."),
          security_groups: z.array(referenceSchema).describe("The groups that it has there."),
          interface: z.string().optional().describe("Name of the network port."),
          primary: z.boolean().describe("Whether its default route leads there."),
        }),
      )
      .describe("The tenant's networks that it stands in."),
    auto_external_ip_attachment: z
      .literal(true)
      .optional()
      .describe("An external IP of the tenant has come with it, and goes with it."),
    placement: placementInputSchema
      .optional()
      .describe("Constraints on the place: region, labels of hubs."),
  }),
  status: z.object({
    state: z.enum(states).describe("Its state."),
    conditions: z.array(conditionSchema(conditionTypes)).describe("What is so, and why."),
    state_transition_time: timeSchema.describe("When `state` last changed."),
    message: z.string().optional().describe("What it waits for, or why it failed."),
    failure: failureSchema.optional().describe("Why its last operation failed."),
    restart_trigger: z.int().optional().describe("The trigger of the last restart."),
    network_attachment_statuses: z
      .array(
        z.object({
          interface: z.string().optional().describe("Name of the network port."),
          subnet_ref: z.string().describe("The id of the subnet."),
          ip_address: z.string().optional().describe("The address that it has there."),
          primary: z.boolean().describe("Whether its default route leads there."),
        }),
      )
      .describe(
        "The networks that it stands in, in the order of its attachments. While these change, those that it had, until the new ones are confirmed.",
      ),
    subnets: z
      .array(z.string())
      .describe(
        "The ids of the subnets that it stands in, and while its networks change of those that it leaves too.",
      ),
    hardware: z
      .object({
        nics: z
          .array(z.object({ mac: z.string().describe("Its MAC address.") }))
          .describe("The network ports of the server."),
      })
      .optional()
      .describe("The server that it is."),
    power: z.string().optional().describe("Its power, as its controller said last."),
    power_time: timeSchema
      .optional()
      .describe("When its controller said so: it is asked while an order works on the server."),
    repair: z
      .object({
        since: timeSchema.describe("Since when the provider asks for it."),
        consent: z.enum(given).optional().describe("What was consented to; absent: nothing was."),
        from: timeSchema.optional().describe("From when it may begin."),
        until: timeSchema.optional().describe("Until when it may begin."),
      })
      .optional()
      .describe("What the provider asks to have done to the server, as MAINTENANCE says."),
    external_ip_address: z
      .string()
      .optional()
      .describe("The external IP by which the outside reaches it."),
    batch: z
      .object({
        id: z.string().describe("What all servers of one request have in common."),
        size: z.int().describe("How many servers were ordered with that request."),
        racks: z.enum(racksAsked).optional().describe("How their hosts are to stand."),
      })
      .optional()
      .describe("The servers that it was ordered with, and gets its host with."),
    ...slaMember,
    ...workSchema,
    instance_type: z.string().describe("Name of the type of server."),
    host_type: z.string().optional().describe("Name of the host type. For administrators."),
    host: z.string().optional().describe("Id of the host. For administrators."),
    hub: z.string().optional().describe("Id of the hub of the host. For administrators."),
  }),
});
type Wire = z.output<typeof baremetalInstanceSchema>;

const batchView = ({ id, members, racks }: Batch) => ({
  ...{ id, size: members.length },
  ...(racks && { racks }),
});

function baremetalInstanceView(instance: BaremetalInstance): Wire {
  const { spec, status, placement, operation, host_type, instance_type, batch } = instance;
  const { user_data, ...rest } = spec;
  const { failure, ...plain } = status;
  const [host] = Object.values(placement?.hosts ?? {}).flat();
  const power = lastPower(instance);
  return {
    id: instance.id,
    metadata: metadataView(instance),
    spec: { ...rest, ...(user_data !== undefined && { user_data: masked }) },
    status: {
      ...plain,
      ...(failure && { failure: failureView(failure) }),
      ...(operation !== undefined && { operation }),
      ...(instance.repair && { repair: repairView(instance.repair) }),
      ...(power && { power: power.state, power_time: power.at }),
      subnets: everyStand(instance).map(({ subnet }) => subnet),
      ...(batch && { batch: batchView(batch) }),
      instance_type: instance_type.name,
      host_type,
      ...(host !== undefined && { host }),
      ...(placement && { hub: placement.hub }),
    },
  };
}

function repairView({ since, consent }: Repair) {
  const { given: when, from, until } = consent ?? {};
  return {
    since,
    ...(when && { consent: when }),
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
  };
}

/**
 * The instance for OSAC, which has no state for failed deletion or maintenance; its status shows only the
 * server and its networks.
 */
function osacInstance({ spec, status, ...rest }: Wire) {
  const { placement: _, restart_trigger, template_parameters, image, ...osacSpec } = spec;
  const { state, conditions, network_attachment_statuses, hardware } = status;
  const isFailed = state === "BARE_METAL_INSTANCE_STATE_DELETE_FAILED";
  return {
    ...rest,
    spec: {
      ...osacSpec,
      image: osacImage(image),
      template_parameters: Object.fromEntries(
        Object.entries(template_parameters).map(([name, value]) => [name, wrapped(value)]),
      ),
      ...(restart_trigger !== undefined && { restart_trigger: String(restart_trigger) }),
    },
    status: {
      state: isFailed ? "BARE_METAL_INSTANCE_STATE_FAILED" : state,
      conditions: conditions.filter(({ type }) => !/_(MAINTENANCE|DPUS_REPORT)$/.test(type)),
      network_attachment_statuses,
      ...(hardware && { hardware }),
      ...(status.restart_trigger !== undefined && {
        restart_trigger: String(status.restart_trigger),
      }),
    },
  };
}

export const wire: WireForm<"baremetal_instance"> = {
  view: baremetalInstanceView,
  osac: osacOf(osacInstance),
};
