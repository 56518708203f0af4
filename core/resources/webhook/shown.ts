import { isGone, type Webhook } from "./model.ts";

export const webhookStates = [
  "WEBHOOK_STATE_ACTIVE",
  "WEBHOOK_STATE_DISABLED",
  "WEBHOOK_STATE_GONE",
] as const;

/** The spec in the API's answers, without the mask of the signing secret. */
export const webhookSpecShown = ({ spec: { secrets: _, ...spec } }: Pick<Webhook, "spec">) => spec;

/** The status in the API's answers. */
export function webhookStatusShown(webhook: Webhook) {
  const { gone, failing, conditions } = webhook.status;
  const isOver = isGone(webhook);
  return {
    state: stateOf(webhook.spec.enabled, isOver),
    ...(gone && isOver ? { gone_time: gone.time } : {}),
    ...(failing && { failing }),
    ...(conditions && { conditions }),
  };
}

function stateOf(isEnabled: boolean, isOver: boolean): (typeof webhookStates)[number] {
  if (!isEnabled) return "WEBHOOK_STATE_DISABLED";
  return isOver ? "WEBHOOK_STATE_GONE" : "WEBHOOK_STATE_ACTIVE";
}
