import { atOnce } from "../at-once.ts";
import { seconds, sleep, timestamp } from "../clock.ts";
import { logged } from "../error.ts";
import { dueLeftKey, duePartition, dueShards } from "../kernel/object/keys.ts";
import { load, objectIn } from "../kernel/object/records.ts";
import { endTimers } from "../kernel/relay/timers.ts";
import { movedOn } from "../kernel/saga/due.ts";
import { dueAt } from "../kernel/saga/operation.ts";
import { edit, type Shapes } from "../kernel/saga/settle.ts";
import { pagesIn } from "../kernel/store/pages.ts";
import type { Item } from "../kernel/store/store.ts";
import type { DueDeps } from "./look-after.ts";
import { lookAfter } from "./look-after.ts";

/**
 * The backstop over the due index: repairs operations when reports, the stream or the platform have failed to deliver.
 */

/** The most operations of a shard that are handled at a time. */
const operationsAtOnce = 16;

/**
 * How long a sweep waits for one operation. Longer work continues on its own, and the next sweep finds the operation
 * again if it is still due.
 */
const patience = seconds(15);

/** Sweeps all shards in this process. Answers how many operations it handled. */
export async function sweepDue(deps: DueDeps, shapes: Shapes): Promise<number> {
  let swept = 0;
  const range = { to: dueBy(deps) };
  for (let shard = 0; shard < dueShards; shard++) {
    await endTimers(deps, shard);
    swept += await sweepEach(deps, shapes, itemsIn(deps, shard, range));
  }
  return swept;
}

/**
 * Sweeps one shard. After `time` milliseconds it begins no more operations and records its position. The next sweep of
 * the shard continues there and reaches the beginning last, so that each operation gets its turn, however many are due.
 * Answers how many operations it handled.
 */
export async function sweepShard(
  deps: DueDeps,
  shapes: Shapes,
  shard: number,
  time: number,
): Promise<number> {
  const end = deps.wall.now() + time;
  await endTimers(deps, shard);
  const to = dueBy(deps);
  const key = dueLeftKey(shard);
  const left = await deps.store.get(key);
  const from = typeof left?.from === "string" && left.from <= to ? left.from : undefined;
  const ranges = from === undefined ? [{ to }] : [{ from, to }, { to: from }];
  async function* inTime(): AsyncGenerator<Item> {
    for (const range of ranges)
      for await (const item of itemsIn(deps, shard, range)) {
        // An index may lag: an operation that is no longer due here is not a position to continue from.
        const place = item.g2pk === duePartition(shard) ? item.g2sk : undefined;
        if (deps.wall.now() >= end && typeof place === "string" && place <= to) {
          deps.log.warn({ shard, from: place }, "more is due than one sweep can check");
          return deps.store.transact([{ put: { ...key, from: place } }]);
        }
        yield item;
      }
    if (left) await deps.store.transact([{ delete: key }]);
  }
  return sweepEach(deps, shapes, inTime());
}

/** The upper end of the due range of a shard. */
const dueBy = ({ clock }: DueDeps): string => `${timestamp(clock.now())}#~`;

async function* itemsIn(
  { store }: DueDeps,
  shard: number,
  range: { from?: string; to: string },
): AsyncGenerator<Item> {
  for await (const items of pagesIn(store, { index: "g2", pk: duePartition(shard), range }))
    yield* items;
}

async function sweepEach(
  deps: DueDeps,
  shapes: Shapes,
  items: AsyncIterable<Item>,
): Promise<number> {
  let swept = 0;
  await atOnce(operationsAtOnce, items, async (item) => {
    const { id } = objectIn<"operation">(deps.kinds, item);
    const handled = await patiently(deps, id, sweepOne(deps, shapes, id));
    swept += handled;
  });
  return swept;
}

/** A slow operation must not block the others. */
async function patiently(deps: DueDeps, id: string, work: Promise<number>): Promise<number> {
  const over = new AbortController();
  const late = sleep(deps.wall, patience, over.signal).then(() => {
    deps.log.error({ operation: id }, "sweep waits no longer for an operation");
    return 0;
  });
  // This is aborted once the work has ended.
  late.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}

/** A failing operation must not block the others. */
async function sweepOne(deps: DueDeps, shapes: Shapes, id: string): Promise<number> {
  try {
    // The index may lag, so the operation itself decides.
    const operation = await load(deps, "operation", id);
    const due = operation && dueAt(operation);
    if (!operation || due === undefined) return 0;
    if (Date.parse(due) > deps.clock.now()) {
      // Found too early: moves to its due minute, unless it is there already.
      await edit(deps, operation.id, movedOn, operation);
      return 0;
    }
    await lookAfter(deps, shapes, operation);
    return 1;
  } catch (thrown) {
    deps.log.error({ operation: id, ...logged(thrown) }, "sweep failed");
    return 0;
  }
}
