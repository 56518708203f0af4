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
    change: z.enum(changes).describe("What it does to its target."),
    target: z
      .object({
        kind: z.literal(operatedKinds).describe("The kind of its target."),
        id: z.string().describe("The id of its target."),
        name: z.string().describe("The name that its target had when it began."),
      })
      .describe("The object that it works on."),
  }),
  status: z.object({
    state: z
      .enum(prefixed(operationStates))
      .describe("Its state; `STUCK` needs an operator, and continues after `resume`."),
    queued: z.boolean().describe("Whether it starts only when the operation before it has ended."),
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
        }),
      )
      .describe("Its steps, in order; the undo of a step has the step's name after `Undo`."),
    waiting_for: z.string().optional().describe("The first of `waiting`, in words."),
    waiting: z.array(waitSchema).describe("Everything that it waits for now."),
    queue_position: z
      .int()
      .min(1)
      .optional()
      .describe("The operation's place in the queue: 1 is the next, 101 any place from there on."),
    percent: z
      .int()
      .min(0)
      .max(100)
      .describe(
        "Ended steps in a hundred of those known; says nothing of how long the rest takes.",
      ),
    estimate: timeSchema
      .optional()
      .describe(
        "When it will be done if nothing has to be waited for: from the begin of its newest step and the usual time of those to come. It stays while nothing moves.",
      ),
    estimate_beyond_seconds: z
      .int()
      .optional()
      .describe("How long it is beyond its estimate; absent while it is not late."),
    usual_seconds: z
      .int()
      .optional()
      .describe("How long such a change usually takes in all, from its first step on."),
    deadline: timeSchema.optional().describe("Deadline of the first of its open steps."),
    failure: failureSchema.optional().describe("Why it did not succeed, or turned back."),
    diagnostics: z
      .array(z.string())
      .optional()
      .describe("What was seen of the cluster when the operation turned back."),
    stalled: stalledSchema.optional().describe("A step that takes longer than it should."),
    placement: z
      .object({
        reason: z.string().describe("Why there, or what it waits for, in words."),
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
      .describe("Where the order was placed, or what it waits for."),
    cancel_requested: z.boolean().describe("Whether somebody asked it to stop."),
    resume_requested: z
      .boolean()
      .describe("Whether somebody asked it to resume; it stays STUCK until it does."),
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
