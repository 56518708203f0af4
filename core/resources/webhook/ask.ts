import { timestamp } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import type { Event } from "../../kernel/events/events.ts";
import { lastPosition } from "../../kernel/events/log.ts";
import { atTime, timeOf } from "../../kernel/events/position.ts";
import { eventType } from "../../kernel/object/event-type.ts";
import { pluralOf } from "../../kernel/object/object.ts";
import { type Caller, mustSee, notFound } from "../../kernel/request/caller.ts";
import { editCursor } from "./cursor.ts";
import { type Delivery, deliveriesOf, deliveryWrites } from "./deliveries.ts";
import type { Webhook } from "./model.ts";
import type { PostDeps } from "./post.ts";
import { postEvent } from "./post.ts";
import { webhookView } from "./wire.ts";

/** The calls of a webhook's owner. */

/** The last deliveries, newest first. Throws NotFound. */
export async function deliveriesFor(deps: Deps, caller: Caller, id: string): Promise<Delivery[]> {
  await mustSee(deps, caller, "webhook", id);
  return deliveriesOf(deps, id);
}

/** The start of a replay: a position in the tenant's log, or a time. */
export type ReplayStart = { position: string } | { time: string };

/**
 * Moves a webhook to this position or time in its tenant's log, back or forward, from which it continues; repeated
 * events have the same ids. Throws NotFound, and Invalid for a start in the future.
 */
export async function replayWebhook(
  deps: Deps,
  caller: Caller,
  id: string,
  start: ReplayStart,
): Promise<{ from: string; to: string }> {
  const { metadata } = await mustSee(deps, caller, "webhook", id);
  const { tenant } = metadata;
  const [field, time] =
    "time" in start
      ? (["time", Math.max(0, 1000 * Date.parse(start.time))] as const)
      : (["position", timeOf(start.position)] as const);
  const now = deps.clock.now();
  // Compared in milliseconds, because the times of present entries can be microseconds ahead.
  if (Math.floor(time / 1000) > now) {
    const message = "must not be in the future";
    throw new AppError("Invalid", `${field} ${message}`, { violations: [{ field, message }] });
  }
  // The position before all entries of that time, so that the event at the start is sent too.
  const position = atTime(time);
  await editCursor(deps, { tenant, webhook: id }, ({ trying: _, ...cursor }) => ({
    cursor: { ...cursor, position, since: timestamp(now), due: now },
  }));
  const last = await lastPosition(deps, tenant);
  return { from: "time" in start ? position : start.position, to: last ?? position };
}

/** Sends one event of type `slipway.webhook.test.v1` at once, without retries. Throws NotFound. */
export async function testWebhook(deps: PostDeps, caller: Caller, id: string): Promise<Delivery> {
  const webhook = await mustSee(deps, caller, "webhook", id);
  const event = testEvent(deps, webhook);
  const { result, ...said } = await postEvent(deps, webhook, event);
  const state = result === "delivered" ? "DELIVERY_STATE_DELIVERED" : "DELIVERY_STATE_FAILED";
  const time = timestamp(deps.clock.now());
  const delivery = (number: number): Delivery => ({
    number,
    event_id: event.id,
    event_type: event.type,
    state,
    tries: 1,
    first_time: event.time,
    last_time: time,
    ...said,
  });
  const place = { tenant: webhook.metadata.tenant, webhook: id };
  const cursor = await editCursor(deps, place, (current) => {
    const deliveries = current.deliveries + 1;
    const writes = deliveryWrites(id, delivery(deliveries), deps.clock.now());
    return { cursor: { ...current, deliveries }, writes };
  });
  if (!cursor) throw notFound(id);
  return delivery(cursor.deliveries);
}

function testEvent(deps: Deps, webhook: Webhook): Event {
  const { id, metadata } = webhook;
  return {
    specversion: "1.0",
    id: deps.newId(),
    source: "slipway",
    type: eventType("webhook", "test"),
    subject: `${pluralOf("webhook")}/${id}`,
    time: timestamp(deps.clock.now()),
    tenant: metadata.tenant,
    sequence: 1,
    datacontenttype: "application/json",
    data: { object: JSON.parse(JSON.stringify(webhookView(webhook))), changed: [] },
  };
}
