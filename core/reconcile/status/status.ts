import { timestamp } from "../../clock.ts";
import type { Deps } from "../../kernel/deps.ts";
import { failedPartition, objectKey, totalKeys } from "../../kernel/object/keys.ts";
import { namesOf } from "../../kernel/object/kind.ts";
import { objectIn } from "../../kernel/object/records.ts";
import { isOperated, type OperatedKind } from "../../kernel/object/traits.ts";
import { readSwitch } from "../../kernel/request/maintenance-switch.ts";
import { operatingOf, type Target } from "../../kernel/saga/operated.ts";
import type { Operation, OperationChange } from "../../kernel/saga/operation.ts";
import { sumOf } from "../../kernel/store/counters.ts";
import { isTimed } from "../../machine/sla.ts";
import { operated } from "../../resources/generated/operated.ts";
import { capacityWithQueues, nextOut, queuesIn } from "../capacity.ts";
import type { Capacity } from "../capacity-schema.ts";
import { alarmingOn } from "../suppressed.ts";
import { attentionOf, faultyObjects } from "./attention/attention.ts";
import { beyondSla } from "./beyond-sla.ts";
import { hubsInStatus } from "./hubs.ts";
import { allAllocations, reservedHosts } from "./reserved.ts";
import type { Status } from "./schema.ts";
import { unfinishedOperations } from "./unfinished.ts";
import { groupsOf, opened, openWaits, type PlaceOf, type Waiting } from "./waits.ts";

/**
 * The overall status, for people. Its cost depends on the number of unfinished operations and of exhaustible resources.
 */

type StatusDeps = Pick<Deps, "store" | "kinds" | "clock" | "log">;

const shownStuck = 20;
const shownWaits = 100;
const shownNext = 5;
const countedFailed = 1001;

export async function statusOf(deps: StatusDeps): Promise<Status> {
  const { store } = deps;
  // All parts are read at once: none needs what another one reads.
  const [work, late, capacity, { hubs, troubledHubs }, faulty, counts, allocations, switches] =
    await Promise.all([
      workOf(deps),
      beyondSla(deps),
      capacityWithQueues(deps),
      hubsInStatus(deps),
      faultyObjects(deps),
      countsByKind(deps),
      allAllocations(deps),
      Promise.all([readSwitch(store, "intake"), readSwitch(store, "removal")]),
    ]);
  const { operations, queued, unread, running, waiting, stalled } = work;
  const { items, standing, sites } = capacity;
  const [intake, removal] = switches;
  const stuck = operations.filter(({ status }) => status.state === "STUCK");
  const { kept, ...reserved } = reservedHosts(allocations, freeByType(items));
  const now = deps.clock.now();
  const waits = groupsOf(waiting, { standing, placeOf, kept, now });
  const siteNames = new Map(sites.map(({ id, metadata }) => [String(id), metadata.name]));
  const known = { operations, stuck, stalled, waits, standing, siteNames, troubledHubs, faulty };
  return {
    time: timestamp(now),
    ...attentionOf(known, now),
    operations: {
      pending: operations.length - stuck.length - running.length,
      queued,
      running: running.length,
      waiting: waiting.length,
      stalled: stalled.length,
      stuck: stuck.length,
      unread,
    },
    objects: counts.map((each) => ({ ...each, ...changesOf(each.kind, operations) })),
    stuck: stuck.slice(0, shownStuck).map(stuckShown),
    waits: waits.slice(0, shownWaits),
    more_waits: Math.max(0, waits.length - shownWaits),
    ...late,
    queues: queuesIn(standing),
    ...reserved,
    next_out: nextOut(items).slice(0, shownNext),
    switches: { intake, removal },
    hubs,
  };
}

/** The free hosts of each type, at hubs that take orders. */
function freeByType(items: Capacity["items"]): Map<string, number> {
  const free = new Map<string, number>();
  for (const { host_type, open, free: count } of items)
    if (host_type !== undefined && open) free.set(host_type, (free.get(host_type) ?? 0) + count);
  return free;
}

/** The unfinished operations: the running ones, those that wait, and those that take too long. */
async function workOf(deps: StatusDeps) {
  const unfinished = await unfinishedOperations(deps);
  const running = unfinished.operations.filter(({ status }) => status.state === "RUNNING");
  const waiting = await waitingOf(deps, running);
  // A stalled step counts as a wait.
  const late = waiting.filter(({ operation }) => operation.status.stalled);
  const stalled = await alarmingOn(
    deps,
    late.map(({ operation }) => operation),
    late.flatMap(({ target }) => (target && isTimed(target) ? [target] : [])),
  );
  return { ...unfinished, running, waiting, stalled };
}

/** The waiting ones of these operations with their targets, which have the hub or site. */
async function waitingOf({ store, kinds }: StatusDeps, running: Operation[]): Promise<Waiting[]> {
  const waiting = running
    .map((operation) => ({ operation, waits: openWaits(operation) }))
    .filter(({ waits }) => waits.length > 0);
  const targets = await store.getMany(
    waiting.map(({ operation: { spec } }) => objectKey(spec.target.kind, spec.target.id)),
  );
  return waiting.map((each, n) => {
    const item = targets[n];
    return { ...each, target: item && objectIn<OperatedKind>(kinds, item) };
  });
}

/** Systems with these names are on a hub; all others are at a site. */
const onHubs = ["hub", "hosted cluster"];

const placeOf: PlaceOf = (target: Target, system: string) => {
  if (system === "placement") return undefined;
  const zone = onHubs.includes(system) ? "hub" : "site";
  return operatingOf({ operated }, target.kind).placeOf?.(target, zone);
};

function stuckShown(operation: Operation) {
  const { failure, start_time } = operation.status;
  const { step = "", message = "operator action required" } = failure ?? {};
  const since = operation.steps[step]?.end_time ?? start_time;
  return opened(operation, { step, message, ...(since === undefined ? {} : { since }) });
}

/** The number of objects of each kind that has operations, and of those whose last one has failed. */
async function countsByKind({ store, kinds }: StatusDeps) {
  const ofKinds = namesOf(kinds).filter((kind) => isOperated(kinds, kind));
  return Promise.all(
    ofKinds.map(async (kind) => {
      const failed = { index: "g2", pk: failedPartition(kind), limit: countedFailed } as const;
      const [total, { count }] = await Promise.all([
        sumOf(store, totalKeys(kind)),
        store.count(failed),
      ]);
      return { kind, total, failed: count };
    }),
  );
}

/** The number of unfinished operations of a kind, by what they do. */
function changesOf(kind: string, operations: readonly Operation[]) {
  const under = (change: OperationChange) =>
    operations.filter(({ spec }) => spec.target.kind === kind && spec.change === change).length;
  return { creating: under("CREATE"), changing: under("UPDATE"), deleting: under("DELETE") };
}
