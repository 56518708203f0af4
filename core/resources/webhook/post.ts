import { bounds, cut } from "../../bounds.ts";
import { AppError, toAppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import type { Event } from "../../kernel/events/events.ts";
import type { Secrets } from "../../ports/secrets/secrets.ts";
import type { WebhookTransport } from "../../ports/webhook/transport.ts";
import { type Webhook, webhookSecretsSchema } from "./model.ts";
import { signedHeaders } from "./signature.ts";

/** What a function has that calls receivers. */
export interface PostDeps extends Deps {
  webhooks: WebhookTransport;
  secrets: Pick<Secrets, "get">;
}

/** The body is the whole event: CloudEvents' structured mode, which its libraries recognize by this type. */
const structured = "application/cloudevents+json";

/** The result of one try. */
export interface DeliveryOutcome {
  result: "delivered" | "failed" | "gone";
  http_status?: number;
  /** The error, for the webhook's owner. */
  message?: string;
}

/** Sends an event to a webhook once. Throws Unavailable while its secret is being replaced. */
export async function postEvent(
  deps: PostDeps,
  webhook: Webhook,
  event: Event,
): Promise<DeliveryOutcome> {
  const body = JSON.stringify(event);
  // Receivers compare it with real time, which can differ from the deployment's clock.
  const seconds = Math.floor(deps.wall.now() / 1000);
  const signed = signedHeaders({ id: event.id, seconds, body }, await secretsOf(deps, webhook));
  const headers = { ...signed, "content-type": structured, "user-agent": "Slipway" };
  try {
    const { status, text } = await deps.webhooks.post(webhook.spec.url, { headers, body });
    if (status >= 200 && status < 300) return { result: "delivered", http_status: status };
    const result = status === 410 ? "gone" : "failed";
    return { result, http_status: status, message: saidIn(text) };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.kind === "Internal") throw error;
    return { result: "failed", message: cut(error.message, bounds.reason) };
  }
}

async function secretsOf(deps: PostDeps, { spec }: Webhook): Promise<string[]> {
  const text = await deps.secrets.get(spec.secrets);
  if (text === undefined) throw new AppError("Unavailable", "the webhook's secret is missing");
  const { current, former } = webhookSecretsSchema.parse(JSON.parse(text));
  const isOver = deps.clock.now() >= Date.parse(spec.former_secret_expires ?? "1970-01-01");
  return former === undefined || isOver ? [current] : [current, former];
}

/** The text of a receiver's answer, which is arbitrary. */
function saidIn(text: string): string {
  const shown = cut(text.replaceAll(/[^\x20-\x7e]+/g, " ").trim(), bounds.reason);
  return shown === "" ? "the answer is not a success" : `the answer is not a success: ${shown}`;
}
