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
    catalog_item: referenceSchema.describe("The offer that was ordered."),
    template_parameters: z
      .record(z.string(), z.json())
      .describe("Values of the template's parameters, by name."),
    image: imageShownSchema.describe("The image to boot."),
    ssh_public_key: z.string().optional().describe("OpenSSH public key for login."),
    user_data: z
      .literal(masked)
      .optional()
      .describe("`***` for the user data of the order; absent without any."),
    run_strategy: z.enum(runStrategies).describe("Whether the server should run."),
    restart_trigger: z.int().optional().describe("A new value restarts the server once."),
    network_attachments: z
      .array(
        z.object({
          subnet: referenceSchema.describe("The subnet of the attachment."),
          security_groups: z.array(referenceSchema).describe("Its security groups in the subnet."),
          interface: z.string().optional().describe("Name of the network port."),
          primary: z.boolean().describe("Whether it has the default route."),
        }),
      )
      .describe("The server's networks."),
    auto_external_ip_attachment: z
      .literal(true)
      .optional()
      .describe("Its external IP was created with it, and is deleted with it."),
    placement: placementInputSchema
      .optional()
      .describe("Placement constraints: region, labels of hubs."),
  }),
  status: z.object({
    state: z.enum(states).describe("Its state."),
    conditions: z
      .array(conditionSchema(conditionTypes))
      .describe("The conditions, each with its reason."),
    state_transition_time: timeSchema.describe("When `state` last changed."),
    message: z.string().optional().describe("What it waits for, or why it failed."),
    failure: failureSchema.optional().describe("Why its last operation failed."),
    restart_trigger: z.int().optional().describe("The trigger of the last restart."),
    network_attachment_statuses: z
      .array(
        z.object({
          interface: z.string().optional().describe("Name of the network port."),
          subnet_ref: z.string().describe("The id of the subnet."),
          ip_address: z.string().optional().describe("Its address in the subnet."),
          primary: z.boolean().describe("Whether it has the default route."),
        }),
      )
      .describe(
        "Its networks, in the order of its attachments. During a change, the old networks until the new ones are confirmed.",
      ),
    subnets: z
      .array(z.string())
      .describe("The ids of its subnets; during a change, also of the subnets that it leaves."),
    hardware: z
      .object({
        nics: z
          .array(z.object({ mac: z.string().describe("Its MAC address.") }))
          .describe("The network ports of the server."),
      })
      .optional()
      .describe("The hardware of the server."),
    power: z.string().optional().describe("Its power in its controller's last report."),
    power_time: timeSchema
      .optional()
      .describe("Time of that report; Slipway asks while an operation works on the server."),
    repair: z
      .object({
        since: timeSchema.describe("Time of the provider's request."),
        consent: z.enum(given).optional().describe("The consent; absent without one."),
        from: timeSchema.optional().describe("The earliest start."),
        until: timeSchema.optional().describe("The latest start."),
      })
      .optional()
      .describe("The provider's request for maintenance, described in MAINTENANCE."),
    external_ip_address: z.string().optional().describe("Its external IP."),
    batch: z
      .object({
        id: z.string().describe("The id of the batch."),
        size: z.int().describe("Number of servers in the batch."),
        racks: z.enum(racksAsked).optional().describe("The rule for the racks of their hosts."),
      })
      .optional()
      .describe("The batch that it was ordered in; all its servers get hosts together."),
    ...slaMember,
    ...workSchema,
    instance_type: z.string().describe("Name of the instance type."),
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
