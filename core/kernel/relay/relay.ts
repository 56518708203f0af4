import type { Deps } from "../../deps.ts";
import { adjustPool } from "../../placement/adjust.ts";
import { onHubChanged, onInventoryChanged, wakeQueue } from "../../placement/capacity-freed.ts";
import { askForLook } from "../../reconcile/asked.ts";
import { onClusterChanged } from "../../resources/cluster/capacity-freed.ts";
import type { Host } from "../../resources/host/model.ts";
import type { Hub } from "../../resources/hub/model.ts";
import { forgetTenant } from "../../resources/tenant/forget.ts";
import { wakeCursor } from "../../webhooks/cursor.ts";
import { queueDue } from "../../webhooks/queue.ts";
import { publish, publishMissed } from "../events/publish.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { objectIn } from "../object/records.ts";
import { isEnded, type Operation } from "../saga/operation.ts";
import { cancelOpen, type Shapes, sagaOf, skipWaits } from "../saga/settle.ts";
import { resumeStuck } from "../saga/stuck.ts";
import type { Item, StreamRecord } from "../store/store.ts";

/**
 * The only reader of the store's stream. It alone sets accepted requests in motion: it publishes
 * events, starts executions, passes on cancellations and resumptions, wakes queues whose capacity
 * was freed, and hands webhooks to their sender. Every part is idempotent. Throws when a record
 * could not be handled; the record comes again.
 */
export async function relay(deps: Deps, shapes: Shapes, record: StreamRecord): Promise<void> {
  await wakeQueue(deps, record);
  await queueDue(deps, record);
  const before = objectOf(record.before);
  const after = objectOf(record.after);
  if (before && !after && !isArchived(record)) await relayRemoval(deps, before);
  if (!after) return;
  if (before === undefined || before.event.sequence < after.event.sequence) {
    if (before) await publishMissed(deps, before);
    await publish(deps, after);
  }
  if (isArchived(record)) {
    if (after.kind === "tenant") await forgetTenant(deps, after);
    return;
  }
  if (after.kind === "operation")
    await relayOperation(deps, shapes, before as Operation | undefined, after);
  if (after.kind === "cluster" && before?.kind === "cluster")
    await onClusterChanged(deps, before, after);
  if (after.kind === "hub") await relayHub(deps, before as Hub | undefined, after);
  // The webhook may have been enabled again.
  if (after.kind === "webhook")
    await wakeCursor(deps, { tenant: after.metadata.tenant, webhook: after.id });
  if (after.kind === "host" && before?.generation !== after.generation)
    await relayHost(deps, before as Host | undefined, after);
}

/** The last event of a removed object comes with its archived item. */
async function relayRemoval(deps: Deps, before: ObjectOf[Kind]): Promise<void> {
  await publishMissed(deps, before);
  if (before.kind === "host") await onInventoryChanged(deps, before, undefined);
}

/** The provider changed the hub, or it is reached again. */
async function relayHub(deps: Deps, before: Hub | undefined, after: Hub): Promise<void> {
  const isBack =
    after.status.state === "HUB_STATE_READY" && before?.status.state !== after.status.state;
  const isChanged = before?.generation !== after.generation;
  if (isBack || isChanged) await onHubChanged(deps, after.id);
  // Sweeps the hub, to find out whether it can be reached as it is registered now.
  if (isChanged) await askForLook(deps.store, after.id);
}

async function relayHost(deps: Deps, before: Host | undefined, after: Host): Promise<void> {
  await onInventoryChanged(deps, before, after);
  await adjustPool(deps, after.id);
  // Sweeps the hub, because the host's agent may have been reported before the host was registered.
  if (!isSameOnHub(before, after)) await askForLook(deps.store, after.spec.hub);
}

const isSameOnHub = (before: Host | undefined, { spec }: Host): boolean =>
  before?.spec.hub === spec.hub &&
  spec.nics.every(({ mac }) => before.spec.nics.some((nic) => nic.mac === mac));

const isArchived = (record: StreamRecord): boolean => record.key.pk.startsWith("archive#");

/** Only items of objects carry an event; claims, counters and logs do not. */
function objectOf(item: Item | undefined): ObjectOf[Kind] | undefined {
  return item && "event" in item && "kind" in item ? objectIn(item) : undefined;
}

async function relayOperation(
  deps: Deps,
  shapes: Shapes,
  before: Operation | undefined,
  after: Operation,
): Promise<void> {
  const startable = (operation: Operation | undefined) =>
    operation !== undefined && operation.status.state === "PENDING" && !operation.queued;
  if (startable(after) && !startable(before)) await deps.workflow.start(after.spec.saga, after.id);
  if (after.cancel && !before?.cancel && !isEnded(after))
    await cancelOpen(deps, sagaOf(shapes, after), after);
  if (after.cancel?.preempted && !before?.cancel?.preempted && !isEnded(after))
    await skipWaits(deps, sagaOf(shapes, after), after);
  if (after.status.state === "STUCK" && (after.resume || after.cancel?.preempted))
    await resumeStuck(deps, after.id);
}
