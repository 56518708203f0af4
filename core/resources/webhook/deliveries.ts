import * as z from "zod";
import type { Deps } from "../../kernel/deps.ts";
import { webhookDeliveryKey, webhookDeliveryPartition } from "../../kernel/object/log-keys.ts";
import type { Item, Write } from "../../kernel/store/store.ts";

/** The last deliveries of a webhook. */

const deliveriesKept = 100;
/** The seconds after which the deliveries of a deleted webhook expire. */
const timeKept = 30 * 24 * 3600;

export const deliverySchema = z.object({
  number: z.int().positive().describe("Counts the deliveries of the webhook, from 1."),
  event_id: z.string().describe("Id of the event."),
  event_type: z.string().describe("Type of the event, such as `slipway.cluster.ready.v1`."),
  position: z
    .string()
    .optional()
    .describe("Position of the event in the tenant's log, for a replay; absent for a test."),
  state: z
    .enum(["DELIVERY_STATE_DELIVERED", "DELIVERY_STATE_RETRYING", "DELIVERY_STATE_FAILED"])
    .describe("The result of the delivery."),
  tries: z.int().positive().describe("Number of attempts."),
  first_time: z.iso.datetime().describe("When it was first sent."),
  last_time: z.iso.datetime().describe("When it was last sent."),
  next_time: z.iso.datetime().optional().describe("When it will be sent again."),
  http_status: z.int().optional().describe("HTTP status of the receiver's last answer."),
  message: z.string().optional().describe("The error of the last attempt."),
});
export type Delivery = z.output<typeof deliverySchema>;

/** The writes that store a delivery in place of its earlier tries, and remove the oldest delivery. */
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

/** The deliveries of a webhook, newest first. */
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
