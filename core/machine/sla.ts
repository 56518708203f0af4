import * as z from "zod";
import { minutes, timestamp } from "../clock.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import { timeSchema } from "../kernel/object/wire.ts";

/**
 * The longest times that hosts, DPUs and servers should be in a state. NVIDIA's infra-controller gives most
 * of its states 30 minutes (`crates/api-model`), and ours combine several of these: each number is the sum. A
 * state without an entry has no SLA, because nothing works on the object, or an operator has to act. An
 * exceeded SLA is only reported; the deadlines of steps end the work.
 */

export type TimedKind = "host" | "dpu" | "baremetal_instance";
export type Timed = ObjectOf[TimedKind];
type Limits = {
  readonly [K in TimedKind]: Partial<Record<ObjectOf[K]["status"]["state"], number>>;
};

export const slas: Limits = {
  dpu: {
    // Firmware settings, the image, the first start, the network configuration.
    DPU_STATE_PROVISIONING: minutes(4 * 30),
  },
  host: {
    // Erasing drives, settings and lockdown, the agent, comparing the hardware, tests, another start. Its
    // DPUs have their own SLA.
    HOST_STATE_DISCOVERING: minutes(30 + 30 + 30 + 5 + 30 + 30),
    // The agent's start, which may take a tenth longer.
    HOST_STATE_RECLAIMING: minutes(33),
    // Its DPUs confirm that it has left the network, and its drives are erased.
    HOST_STATE_CLEANING: minutes(30 + 30),
    HOST_STATE_UPDATING: minutes(40),
  },
  baremetal_instance: {
    // Its subnets, its DPUs' configuration, the start of its image: counted from when it has a host.
    BARE_METAL_INSTANCE_STATE_PROVISIONING: minutes(3 * 30),
    BARE_METAL_INSTANCE_STATE_STARTING: minutes(30),
    BARE_METAL_INSTANCE_STATE_STOPPING: minutes(30),
    // Its start without the tenant's system, and every DPU's confirmation of its isolation.
    BARE_METAL_INSTANCE_STATE_DELETING: minutes(33 + 30),
  },
};

/** The SLA of an object's state, in the status of each of these kinds. */
export const slaSchema = z.object({
  seconds: z.int().describe("How long it should be in its state at most."),
  ends: timeSchema.describe("When that is over."),
  beyond_seconds: z.int().optional().describe("How long it is beyond that; absent until then."),
});
export type Sla = z.output<typeof slaSchema>;

export const slaMember = {
  sla: slaSchema
    .optional()
    .describe("The time that its state should take at most; absent where nothing limits it."),
};

/** Undefined if the state has no SLA. Pure; `now` in milliseconds. */
export function slaOf(object: Timed, now: number): Sla | undefined {
  const limits: Readonly<Record<string, number>> = slas[object.kind];
  const limit = limits[object.status.state];
  const began = byKind(since, object);
  if (limit === undefined || began === undefined) return undefined;
  const ends = Date.parse(began) + limit;
  return {
    ...{ seconds: limit / 1000, ends: timestamp(ends) },
    ...(now > ends && { beyond_seconds: Math.ceil((now - ends) / 1000) }),
  };
}

/** A function of an object, by its kind. */
type PerKind<T> = { readonly [K in TimedKind]: (object: ObjectOf[K]) => T };

const byKind = <T>(table: PerKind<T>, object: Timed): T =>
  // The entry of the object's own kind accepts it, which the compiler cannot infer.
  (table[object.kind] as (object: Timed) => T)(object);

/** When the SLA of the state began; an order without a host waits for one without an SLA. */
const since: PerKind<string | undefined> = {
  host: ({ status }) => status.since,
  dpu: ({ status }) => status.since,
  baremetal_instance: ({ status: { state, state_transition_time: changed }, placement }) => {
    if (state !== "BARE_METAL_INSTANCE_STATE_PROVISIONING") return changed;
    return placement && [placement.at, changed].toSorted().at(-1);
  },
};

const hosts: PerKind<string[]> = {
  host: ({ id }) => [id],
  dpu: ({ spec }) => [spec.host.id],
  baremetal_instance: ({ placement }) => Object.values(placement?.hosts ?? {}).flat(),
};

/** The ids of the hosts that a machine is, is in, or runs on. Pure. */
export const slaHostsOf = (machine: Timed): string[] => byKind(hosts, machine);

export const isTimedKind = (kind: string): kind is TimedKind => Object.hasOwn(slas, kind);

export const isTimed = (object: ObjectOf[keyof ObjectOf]): object is Timed =>
  isTimedKind(object.kind);
