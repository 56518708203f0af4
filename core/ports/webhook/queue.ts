import type { DelayQueue } from "../../kernel/delay-queue.ts";

/** The queue of due webhooks, so that a delivery starts when it is due. */
export type WebhookQueue = DelayQueue<WebhookPlace>;

/** A webhook of a tenant, by id. */
export interface WebhookPlace {
  tenant: string;
  webhook: string;
}

declare module "../../kernel/relay/reaction.ts" {
  interface ReactionDeps {
    webhookQueue: WebhookQueue;
  }
}
