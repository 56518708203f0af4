import * as z from "zod";
import { minutes, timestamp } from "../clock.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import { timeSchema } from "../kernel/object/wire.ts";

/**
 * The SLA of each state of hosts, DPUs and servers. NVIDIA's infra-controller gives most of its states 30
 * minutes (`crates/api-model`); ours combine several of these, so each number is their sum. A state in which
 * nothing runs, or which an operator has to end, has no SLA. An exceeded SLA is only reported; only the
 * deadlines of steps stop work.
 */

export type TimedKind = "host" | "dpu" | "baremetal_instance";
export type Timed = ObjectOf[TimedKind];
type Limits = {
  readonly [K in TimedKind]: Partial<Record<ObjectOf[K]["status"]["state"], number>>;
};

export const slas: Limits = {
  dpu: {
    // Covers firmware settings, the image, the first start and the network configuration.
    DPU_STATE_PROVISIONING: minutes(4 * 30),
  },
  host: {
    // Covers erasing drives, settings and lockdown, the agent, comparing the hardware, tests and another start.
    // Its DPUs have their own SLA.
    HOST_STATE_DISCOVERING: minutes(30 + 30 + 30 + 5 + 30 + 30),
    // Covers the agent's start, and a tenth more.
    HOST_STATE_RECLAIMING: minutes(33),
    // Covers the confirmation of its DPUs that it has left the network, and the erasure of its drives.
    HOST_STATE_CLEANING: minutes(30 + 30),
    HOST_STATE_UPDATING: minutes(40),
  },
  baremetal_instance: {
    // Covers its subnets, its DPUs' configuration and the start of its image, counted from when it has a host.
    BARE_METAL_INSTANCE_STATE_PROVISIONING: minutes(3 * 30),
    BARE_METAL_INSTANCE_STATE_STARTING: minutes(30),
    BARE_METAL_INSTANCE_STATE_STOPPING: minutes(30),
    // Covers its start without the tenant's system, and every DPU's confirmation of its isolation.
    BARE_METAL_INSTANCE_STATE_DELETING: minutes(33 + 30),
  },
};

/** The SLA of an object's state, in the status of each of these kinds. */
export const slaSchema = z.object({
  seconds: z.int().describe("The longest time for its state."),
  ends: timeSchema.describe("When that time ends."),
  beyond_seconds: z
    .int()
    .optional()
    .describe("By how much the time is exceeded; absent until then."),
});
export type Sla = z.output<typeof slaSchema>;

export const slaMember = {
  sla: slaSchema.optional().describe("The SLA of its state; absent if the state has none."),
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

/** A function of objects of each kind. */
type PerKind<T> = { readonly [K in TimedKind]: (object: ObjectOf[K]) => T };

const byKind = <T>(table: PerKind<T>, object: Timed): T =>
  // The compiler cannot infer that the entry is of the object's own kind.
  (table[object.kind] as (object: Timed) => T)(object);

/** When the state's SLA began; it does not count the time in which an order waits for a host. */
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

/** The ids of the hosts of a machine: itself, the host that contains it, or the host it runs on. Pure. */
export const slaHostsOf = (machine: Timed): string[] => byKind(hosts, machine);

const itself: PerKind<ObjectOf["host"] | undefined> = {
  host: (host) => host,
  dpu: () => undefined,
  baremetal_instance: () => undefined,
};

/** The machine itself if it is a host. Pure. */
export const asHost = (machine: Timed): ObjectOf["host"] | undefined => byKind(itself, machine);

export const isTimedKind = (kind: string): kind is TimedKind => Object.hasOwn(slas, kind);

export const isTimed = (object: ObjectOf[keyof ObjectOf]): object is Timed =>
  isTimedKind(object.kind);
