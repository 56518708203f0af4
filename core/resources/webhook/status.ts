import { timeText } from "../../clock.ts";
import { conditionsOfTrouble, type Finding } from "../../kernel/object/condition.ts";
import type { Webhook, WebhookStatus } from "./model.ts";

/** Computes the status of a webhook from its record. Pure; `now` in milliseconds. */
export const webhookStatus = ({ status }: Webhook, now: number): WebhookStatus => ({
  ...status,
  ...conditionsOfTrouble(
    status.conditions,
    { WEBHOOK_CONDITION_TYPE_FAILING: failingOf(status) },
    now,
    true,
  ),
});

function failingOf({ failing }: WebhookStatus): Finding {
  if (!failing) return { status: false, reason: "Delivers" };
  const { since, tries, message, http_status } = failing;
  const answer = http_status === undefined ? message : `${http_status}: ${message}`;
  return {
    ...{ status: true, reason: "NotDelivered", since },
    message: `its receiver has not accepted an event since ${timeText(since)}, in ${tries} tries; last: ${answer}`,
  };
}
