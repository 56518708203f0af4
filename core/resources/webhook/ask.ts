import { timestamp } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import type { Event } from "../../kernel/events/events.ts";
import { eventType } from "../../kernel/object/event-type.ts";
import { logCountKey } from "../../kernel/object/keys.ts";
import { pluralOf } from "../../kernel/object/object.ts";
import { type Caller, mustSee, notFound } from "../../kernel/request/caller.ts";
import { editCursor } from "./cursor.ts";
import { type Delivery, deliveriesOf, deliveryWrites } from "./deliveries.ts";
import type { Webhook } from "./model.ts";
import { postEvent } from "./post.ts";
import { webhookView } from "./wire.ts";

/** Calls of a webhook's owner. */

/** The last deliveries, the newest first. Throws NotFound. */
export async function deliveriesFor(deps: Deps, caller: Caller, id: string): Promise<Delivery[]> {
  await mustSee(deps, caller, "webhook", id);
  return deliveriesOf(deps, id);
}

/**
 * Has the webhook continue from this position of its tenant's log, behind its own position or
 * before: events come again with the same ids. Throws NotFound, and Invalid for a position that
 * does not exist.
 */
export async function replayWebhook(
  deps: Deps,
  caller: Caller,
  id: string,
  position: number,
): Promise<{ from: number; to: number }> {
  const { metadata } = await mustSee(deps, caller, "webhook", id);
  const { tenant } = metadata;
  const to = Number((await deps.store.get(logCountKey(tenant)))?.last ?? 0);
  if (position > to) {
    const message = `must be at most ${to}, the last position`;
    const violations = [{ field: "position", message }];
    throw new AppError("Invalid", `position ${message}`, { violations });
  }
  const now = deps.clock.now();
  await editCursor(deps, { tenant, webhook: id }, ({ trying: _, ...cursor }) => ({
    cursor: { ...cursor, position: position - 1, since: timestamp(now), due: now },
  }));
  return { from: position, to };
}

/** Sends an event of type `slipway.webhook.test.v1` at once, and once. Throws NotFound. */
export async function testWebhook(deps: Deps, caller: Caller, id: string): Promise<Delivery> {
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
