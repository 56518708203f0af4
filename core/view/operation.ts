import * as z from "zod";
import {
  changes,
  type Operation,
  operationStates,
  type StepEntry,
  stepStates,
} from "../model/operation.ts";
import { waitSchema, waitsOf } from "./wait.ts";
import { metadataSchema, metadataView, timeSchema } from "./wire.ts";

const prefixed = <Name extends string>(names: readonly Name[]) =>
  names.map((name) => `OPERATION_STATE_${name}` as const) as [
    `OPERATION_STATE_${Name}`,
    ...`OPERATION_STATE_${Name}`[],
  ];

export const operationSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    change: z.enum(changes),
    target: z.object({ kind: z.literal("cluster"), id: z.string(), name: z.string() }),
  }),
  status: z.object({
    state: z.enum(prefixed(operationStates)),
    /** Starts when the operation before it has ended. */
    queued: z.boolean(),
    start_time: timeSchema.optional(),
    end_time: timeSchema.optional(),
    steps: z.array(
      z.object({
        name: z.string(),
        state: z.enum(stepStates),
        attempts: z.int(),
        start_time: timeSchema.optional(),
        end_time: timeSchema.optional(),
        system: z.string().optional(),
        message: z.string().optional(),
      }),
    ),
    /** The first of `waiting`. */
    waiting_for: z.string().optional(),
    waiting: z.array(waitSchema),
    /** Its place among those who wait for the same: 1 is the next, 101 any place from there on. */
    queue_position: z.int().min(1).optional(),
    /** Ended steps in a hundred of those known; says nothing of how long the rest takes. */
    percent: z.int().min(0).max(100),
    /** When it will be done if nothing has to be waited for; from the usual length of its steps. */
    estimate: timeSchema.optional(),
    deadline: timeSchema.optional(),
    failure: z.object({ step: z.string(), kind: z.string(), message: z.string() }).optional(),
    /** What was seen of the cluster when the operation turned back. */
    diagnostics: z.array(z.string()).optional(),
    /** A step that takes longer than it should: since when it waits, and what blocks it. */
    stalled: z.object({ step: z.string(), since: timeSchema, message: z.string() }).optional(),
    placement: z
      .object({
        reason: z.string(),
        hub: z.string().optional(),
        rejected: z.array(z.object({ hub: z.string(), reason: z.string() })).optional(),
      })
      .optional(),
    cancel_requested: z.boolean(),
  }),
});
type OperationWire = z.output<typeof operationSchema>;

export function operationView(operation: Operation): OperationWire {
  const { status, spec } = operation;
  const { position, reason } = operation.placement ?? {};
  const open = Object.values(operation.steps).filter(
    (entry) => entry.state === "WAITING" || entry.state === "RUNNING",
  );
  const waiting = waitsOf(operation);
  const waitingFor = waiting[0]?.message;
  const inLine = waiting.some(({ message }) => message === reason);
  const deadline = open.flatMap((entry) => entry.deadline ?? []).sort()[0];
  return {
    id: operation.id,
    metadata: metadataView(operation),
    spec: { change: spec.change, target: spec.target },
    status: {
      ...status,
      state: `OPERATION_STATE_${status.state}`,
      queued: operation.queued,
      steps: inOrder(operation).map(([name, entry]) => stepView(name, entry)),
      percent: percentOf(operation),
      cancel_requested: operation.cancel !== undefined,
      waiting,
      ...(operation.diagnostics?.length ? { diagnostics: operation.diagnostics } : {}),
      ...(waitingFor === undefined ? {} : { waiting_for: waitingFor }),
      ...(position !== undefined && inLine ? { queue_position: position } : {}),
      ...(operation.estimate === undefined || status.end_time !== undefined
        ? {}
        : { estimate: operation.estimate }),
      ...(deadline === undefined ? {} : { deadline }),
      ...placementView(operation),
    },
  };
}

function placementView({ placement }: Operation) {
  if (!placement) return {};
  const { position: _, ...rest } = placement;
  return { placement: rest };
}

/** A store may keep members in any order. */
const inOrder = ({ steps }: Operation): [string, StepEntry][] =>
  Object.entries(steps).sort(([, a], [, b]) => a.position - b.position);

function stepView(name: string, entry: StepEntry) {
  const { state, attempts, start_time, end_time, system, message } = entry;
  return {
    name,
    state,
    attempts,
    ...(system === undefined ? {} : { system }),
    ...(start_time === undefined ? {} : { start_time }),
    ...(end_time === undefined ? {} : { end_time }),
    ...(message === undefined ? {} : { message }),
  };
}

/** 100 only for what has succeeded; an operation that turns back stays where it was. */
export function percentOf({ status, steps, spec }: Operation): number {
  if (status.state === "SUCCEEDED") return 100;
  // A deletion is made of undos.
  const counts = (name: string) => spec.change === "DELETE" || !name.startsWith("Undo ");
  const entries = Object.entries(steps).filter(([name]) => counts(name));
  if (entries.length === 0) return 0;
  const ended = entries.filter(
    ([, { state }]) => state === "SUCCEEDED" || state === "SKIPPED",
  ).length;
  return Math.min(99, Math.floor((100 * ended) / entries.length));
}
