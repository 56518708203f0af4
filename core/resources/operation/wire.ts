import * as z from "zod";
import type { OperatedKind } from "../../kernel/object/traits.ts";
import { metadataSchema, metadataView, timeSchema } from "../../kernel/object/wire.ts";
import type { WireForm } from "../../kernel/object/wire-form.ts";
import { failureSchema, failureView } from "../../kernel/saga/failure.ts";
import {
  changes,
  type Operation,
  operationStates,
  stepStates,
} from "../../kernel/saga/operation.ts";
import { statusShown } from "../../kernel/saga/shown.ts";
import { stalledSchema, waitSchema } from "../../kernel/saga/wait.ts";

const prefixed = <Name extends string>(names: readonly Name[]) =>
  names.map((name) => `OPERATION_STATE_${name}` as const) as [
    `OPERATION_STATE_${Name}`,
    ...`OPERATION_STATE_${Name}`[],
  ];

/** The kinds whose objects have operations. */
const operatedKinds: readonly OperatedKind[] = [
  "cluster",
  "virtual_network",
  "subnet",
  "security_group",
  "external_ip_attachment",
  "nat_gateway",
  "baremetal_instance",
  "host",
  "dpu",
];

export const operationSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    change: z.enum(changes).describe("The change of the target."),
    target: z
      .object({
        kind: z.literal(operatedKinds).describe("The kind of its target."),
        id: z.string().describe("The id of its target."),
        name: z.string().describe("The target's name when the operation began."),
      })
      .describe("The target of the operation."),
  }),
  status: z.object({
    state: z
      .enum(prefixed(operationStates))
      .describe("Its state; `STUCK` needs an operator, and continues after `resume`."),
    queued: z.boolean().describe("Whether it waits for the operation before it to end."),
    start_time: timeSchema.optional().describe("When its first step began."),
    end_time: timeSchema.optional().describe("When it ended; absent until then."),
    steps: z
      .array(
        z.object({
          name: z.string().describe("What the step does, as a verb and a noun."),
          state: z.enum(stepStates).describe("The state of the step."),
          attempts: z.int().describe("How often it was tried."),
          start_time: timeSchema.optional().describe("When it was first tried."),
          end_time: timeSchema.optional().describe("When it ended."),
          system: z.string().optional().describe("The system that it works on, such as `DNS`."),
          message: z.string().optional().describe("What it waits for, or why it failed."),
          deadline: timeSchema
            .optional()
            .describe("When it fails if it has not ended; absent once it has."),
          failed_attempts: z
            .array(
              z.object({
                time: timeSchema.describe("When it failed."),
                message: z.string().describe("Why it failed."),
                call: z
                  .string()
                  .optional()
                  .describe("The call that was refused or not answered. For administrators."),
                status: z
                  .int()
                  .optional()
                  .describe("The HTTP status of the answer. For administrators."),
              }),
            )
            .optional()
            .describe("Its last failed attempts, the newest first: at most five."),
        }),
      )
      .describe("Its steps, in order; the undo of a step has the step's name after `Undo`."),
    waiting_for: z.string().optional().describe("The first of `waiting`, in words."),
    waiting: z.array(waitSchema).describe("Everything that it waits for now."),
    queue_position: z
      .int()
      .min(1)
      .optional()
      .describe("The operation's position in the queue: 1 is next, 101 means 101 or later."),
    percent: z
      .int()
      .min(0)
      .max(100)
      .describe("Percentage of known steps that ended; no measure of the remaining time."),
    estimate: timeSchema
      .optional()
      .describe(
        "When it should end if it does not have to wait: start of the newest step plus the usual time of the remaining ones. It does not move while a step waits.",
      ),
    estimate_beyond_seconds: z
      .int()
      .optional()
      .describe("Seconds past its estimate; absent while it is on time."),
    usual_seconds: z.int().optional().describe("The usual duration of such a change, in seconds."),
    deadline: timeSchema.optional().describe("Deadline of the first of its open steps."),
    failure: failureSchema.optional().describe("Why it did not succeed, or turned back."),
    diagnostics: z
      .array(z.string())
      .optional()
      .describe("The state of the cluster when the operation turned back."),
    stalled: stalledSchema.optional().describe("A step that takes longer than it should."),
    placement: z
      .object({
        reason: z.string().describe("The reason for the hub, or what the order waits for."),
        hub: z.string().optional().describe("Id of the hub. For administrators."),
        rejected: z
          .array(
            z.object({
              hub: z.string().describe("Id of the hub."),
              reason: z.string().describe("Why it does not fit."),
            }),
          )
          .optional()
          .describe("Hubs that do not fit. For administrators."),
      })
      .optional()
      .describe("The hub of the order, or what the order waits for."),
    cancel_requested: z.boolean().describe("Whether somebody asked it to stop."),
    resume_requested: z
      .boolean()
      .describe("Whether somebody asked it to resume; it is STUCK until then."),
  }),
});
type OperationWire = z.output<typeof operationSchema>;

function operationView(operation: Operation): OperationWire {
  const { spec } = operation;
  const { failure, ...status } = statusShown(operation);
  return {
    id: operation.id,
    metadata: metadataView(operation),
    spec: { change: spec.change, target: spec.target },
    status: {
      ...status,
      state: `OPERATION_STATE_${status.state}`,
      ...(failure && { failure: failureView(failure) }),
    },
  };
}

export const wire: WireForm<"operation"> = {
  view: operationView,
};
