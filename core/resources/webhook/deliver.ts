import { timestamp } from "../../clock.ts";
import type { Deps } from "../../kernel/deps.ts";
import type { Event } from "../../kernel/events/events.ts";
import { nextTime, readLogs } from "../../kernel/events/log.ts";
import { changeObject } from "../../kernel/events/rewrite.ts";
import { logShards } from "../../kernel/object/log-keys.ts";
import { load } from "../../kernel/object/records.ts";
import { editCursor, endPause, type WebhookCursor, wakeCursor } from "./cursor.ts";
import { type Delivery, deliveryWrites } from "./deliveries.ts";
import { isWebhookOpen, type Webhook, wants } from "./model.ts";
import type { PostDeps } from "./post.ts";
import { type DeliveryOutcome, postEvent } from "./post.ts";
import { pauseAfter, retryWindow } from "./retry.ts";

/** The limit of events in one run, so that other webhooks get their turn. */
const batch = 100;
/** How long a run may begin further events, in real milliseconds. */
const runTime = 30_000;
/** The duration of a sender's lease without renewal, in real milliseconds: one try and a margin. */
const leaseTime = 30_000;
/**
 * The number of log entries in one read: at first only the next ones, then more if the webhook did not select those.
 */
const pages = { first: logShards, growth: 4, most: 200 };

/**
 * Delivers a webhook's due events at least once, in the order of the tenant's log. An event that the receiver does not
 * accept is retried for a day, and later events wait. Only one run at a time handles a webhook, in whichever process.
 */
export async function deliverDue(
  deps: PostDeps,
  place: Pick<WebhookCursor, "tenant" | "webhook">,
): Promise<void> {
  const holder = deps.newId();
  const end = deps.wall.now() + runTime;
  let cursor = await take(deps, place, holder);
  try {
    for (let n = 0; n < batch && cursor !== undefined && deps.wall.now() < end; n++)
      cursor = await step(deps, cursor, holder);
  } finally {
    await editCursor(deps, place, ({ lease, ...cursor }) =>
      lease?.holder === holder ? { cursor } : undefined,
    );
  }
}

function take(
  deps: Deps,
  place: Pick<WebhookCursor, "tenant" | "webhook">,
  holder: string,
): Promise<WebhookCursor | undefined> {
  return editCursor(deps, place, (cursor) => {
    const isDue = cursor.due !== undefined && cursor.due <= deps.clock.now();
    const isFree = cursor.lease === undefined || cursor.lease.until <= deps.wall.now();
    return isDue && isFree ? { cursor: { ...cursor, lease: lease(deps, holder) } } : undefined;
  });
}

const lease = ({ wall }: Deps, holder: string) => ({ holder, until: wall.now() + leaseTime });

/** Handles the next event. Returns the cursor to continue from; undefined if there is nothing to do now. */
async function step(
  deps: PostDeps,
  cursor: WebhookCursor,
  holder: string,
): Promise<WebhookCursor | undefined> {
  const webhook = await load(deps, "webhook", cursor.webhook);
  if (!webhook || !isWebhookOpen(webhook)) {
    await stop(deps, cursor, holder);
    await wakeIfOpened(deps, cursor);
    return undefined;
  }
  const { position, event } = await nextEvent(deps, webhook, cursor.position);
  if (!event) return rest(deps, cursor, holder, position);
  const outcome = await postEvent(deps, webhook, event);
  if (outcome.result === "gone") await close(deps, webhook);
  else await noteOutcome(deps, webhook, outcome, cursor.trying);
  const after = await save(deps, cursor, holder, (current) => {
    const { delivery, next } = judged(deps, current, { position, event, outcome });
    const writes = deliveryWrites(webhook.id, delivery, deps.clock.now());
    return { cursor: next, writes };
  });
  if (outcome.result !== "delivered") await wakeIfChanged(deps, cursor, webhook);
  return after?.due !== undefined && after.due <= deps.clock.now() ? after : undefined;
}

/** Changes the cursor unless another sender has taken over; a position that a replay has set stays. */
function save(
  deps: Deps,
  seen: WebhookCursor,
  holder: string,
  change: (cursor: WebhookCursor) => ReturnType<Parameters<typeof editCursor>[2]>,
): Promise<WebhookCursor | undefined> {
  return editCursor(deps, seen, (current) => {
    if (current.lease?.holder !== holder) return undefined;
    const renewed = { ...current, lease: lease(deps, holder) };
    const isReplay = current.position !== seen.position || current.since !== seen.since;
    return isReplay ? { cursor: renewed } : change(renewed);
  });
}

/** Ends the run, because there is nothing to send: the writer of the next event wakes the webhook. */
async function rest(
  deps: Deps,
  seen: WebhookCursor,
  holder: string,
  position: string,
): Promise<WebhookCursor | undefined> {
  const after = await stop(deps, seen, holder, position);
  if (after?.due !== undefined) return after;
  // A writer that wrote before the webhook rested did not wake it.
  const next = after && (await nextTime(deps, seen.tenant, position));
  if (next !== undefined) await wakeCursor(deps, seen, deps.logTime.until(next));
  return undefined;
}

/** Wakes a webhook whose owner opened it before it stopped, because that change did not wake it. */
async function wakeIfOpened(deps: Deps, cursor: WebhookCursor): Promise<void> {
  const webhook = await load(deps, "webhook", cursor.webhook);
  if (webhook && isWebhookOpen(webhook)) await wakeCursor(deps, cursor);
}

/** Ends the pause that a failed try began, if the owner changed the webhook during the try. */
async function wakeIfChanged(deps: Deps, cursor: WebhookCursor, tried: Webhook): Promise<void> {
  const webhook = await load(deps, "webhook", cursor.webhook);
  if (webhook && webhook.generation !== tried.generation) await endPause(deps, cursor);
}

/** Ends the run without a due time; a replay that was requested meanwhile stays due. */
const stop = (deps: Deps, seen: WebhookCursor, holder: string, position = seen.position) =>
  save(deps, seen, holder, ({ due: _, trying: __, ...current }) => ({
    cursor: { ...current, position },
  }));

/**
 * The next event in the log that the webhook selects. Without one, the position up to which the log
 * was searched.
 */
async function nextEvent(
  deps: Deps,
  webhook: Webhook,
  after: string,
): Promise<{ position: string; event?: Event }> {
  const { tenant } = webhook.metadata;
  let position = after;
  for (let limit = pages.first; ; limit = Math.min(limit * pages.growth, pages.most)) {
    const entries = await readLogs(deps, [tenant], { after: position, limit });
    if (entries.length === 0) return { position };
    for (const { position: at, event } of entries) {
      position = at;
      if (event && wants(webhook, event.type)) return { position, event };
    }
  }
}

/** The result of a try for the delivery and for the cursor. */
function judged(
  deps: Deps,
  { trying, due: _, ...cursor }: WebhookCursor,
  { position, event, outcome }: { position: string; event: Event; outcome: DeliveryOutcome },
): { delivery: Delivery; next: WebhookCursor } {
  const now = deps.clock.now();
  // The next event may be another one than before, because the owner has changed the types.
  const earlier = trying?.position === position ? trying : undefined;
  const tries = (earlier?.tries ?? 0) + 1;
  const number = earlier?.delivery ?? cursor.deliveries + 1;
  const first_time = earlier?.first_time ?? timestamp(now);
  const { result, ...said } = outcome;
  const base = {
    number,
    event_id: event.id,
    event_type: event.type,
    position,
    tries,
    first_time,
    last_time: timestamp(now),
    ...said,
  };
  const counted = { ...cursor, deliveries: Math.max(cursor.deliveries, number) };
  const done = { ...counted, position, due: now };
  if (result === "delivered")
    return { delivery: { ...base, state: "DELIVERY_STATE_DELIVERED" }, next: done };
  const failed = { ...base, state: "DELIVERY_STATE_FAILED" } as const;
  // The webhook keeps its position for the time when its owner opens it again.
  if (result === "gone") return { delivery: failed, next: counted };
  const start = Math.max(Date.parse(event.time), Date.parse(cursor.since ?? event.time));
  const again = now + Math.round(pauseAfter(tries, deps.random));
  if (again > start + retryWindow) return { delivery: failed, next: done };
  return {
    delivery: { ...base, state: "DELIVERY_STATE_RETRYING", next_time: timestamp(again) },
    next: { ...counted, due: again, trying: { position, delivery: number, tries, first_time } },
  };
}

/** Records in a webhook that its receiver accepts nothing, from the second failed try until a delivery succeeds. */
async function noteOutcome(
  deps: Deps,
  { id, generation, status }: Webhook,
  { result, message = "", http_status }: DeliveryOutcome,
  trying: WebhookCursor["trying"],
): Promise<void> {
  const isWell = result === "delivered";
  if (isWell ? !status.failing : !trying && !status.failing) return;
  await changeObject(deps, "webhook", id, (webhook) => {
    if (webhook.generation !== generation) return undefined;
    const { failing: known, ...rest } = webhook.status;
    if (isWell) return { ...webhook, status: rest };
    const since = known?.since ?? trying?.first_time ?? timestamp(deps.clock.now());
    const tries = (known?.tries ?? trying?.tries ?? 0) + 1;
    const failing = { since, tries, message, ...(http_status !== undefined && { http_status }) };
    return { ...webhook, status: { ...rest, failing } };
  });
}

/** Closes a webhook whose receiver has refused further events, unless its owner has changed it since. */
async function close(deps: Deps, { id, generation }: Webhook): Promise<void> {
  const gone = { time: timestamp(deps.clock.now()), generation };
  await changeObject(deps, "webhook", id, (webhook) =>
    webhook.generation === generation ? { ...webhook, status: { gone } } : undefined,
  );
}
