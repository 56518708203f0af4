import { isGone, type Webhook } from "./model.ts";

type WebhookState = "WEBHOOK_STATE_ACTIVE" | "WEBHOOK_STATE_DISABLED" | "WEBHOOK_STATE_GONE";

/** The status as the API shows it. */
export function webhookStatusShown(webhook: Webhook) {
  const { gone } = webhook.status;
  const isOver = isGone(webhook);
  return {
    state: stateOf(webhook.spec.enabled, isOver),
    ...(gone && isOver ? { gone_time: gone.time } : {}),
  };
}

function stateOf(isEnabled: boolean, isOver: boolean): WebhookState {
  if (!isEnabled) return "WEBHOOK_STATE_DISABLED";
  return isOver ? "WEBHOOK_STATE_GONE" : "WEBHOOK_STATE_ACTIVE";
}
