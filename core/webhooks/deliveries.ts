import * as z from "zod";
import type { Deps } from "../deps.ts";
import { webhookDeliveryKey, webhookDeliveryPartition } from "../store/keys.ts";
import type { Item, Write } from "../store/store.ts";

/** What became of the last events that were sent to a webhook. */

const deliveriesKept = 100;
/** Those of a webhook that is gone go by themselves, after so many seconds. */
const timeKept = 30 * 24 * 3600;

export const deliverySchema = z.object({
  number: z.int().positive(),
  event_id: z.string(),
  event_type: z.string(),
  /** Of the event in the tenant's log, from which a replay may start; a test has none. */
  position: z.int().positive().optional(),
  state: z.enum(["DELIVERY_STATE_DELIVERED", "DELIVERY_STATE_RETRYING", "DELIVERY_STATE_FAILED"]),
  tries: z.int().positive(),
  first_time: z.iso.datetime(),
  last_time: z.iso.datetime(),
  next_time: z.iso.datetime().optional(),
  /** Of the last answer. */
  http_status: z.int().optional(),
  /** What was wrong at the last try. */
  message: z.string().optional(),
});
export type Delivery = z.output<typeof deliverySchema>;

/** Keeps a delivery, in place of what its tries before said, and forgets the oldest. */
export function deliveryWrites(webhook: string, delivery: Delivery, now: number): Write[] {
  const { number } = delivery;
  const expires = Math.floor(now / 1000) + timeKept;
  const kept: Item = {
    ...webhookDeliveryKey(webhook, number),
    delivery: JSON.parse(JSON.stringify(delivery)),
    expires,
  };
  const oldest = number - deliveriesKept;
  return [{ put: kept }, ...(oldest > 0 ? [{ delete: webhookDeliveryKey(webhook, oldest) }] : [])];
}

/** The newest first. */
export async function deliveriesOf(
  { store }: Pick<Deps, "store">,
  webhook: string,
): Promise<Delivery[]> {
  const { items } = await store.query({
    pk: webhookDeliveryPartition(webhook),
    reverse: true,
    limit: deliveriesKept,
  });
  return items.map(({ delivery }) => deliverySchema.parse(delivery));
}
