/** The queue of due webhooks, so that a delivery starts when it is due. */
export interface WebhookQueue {
  /**
   * Has a sender handle the webhook after this many milliseconds, at least once. Throws
   * Unavailable.
   */
  put(place: WebhookPlace, after: number): Promise<void>;
}

/** A webhook of a tenant, by id. */
export interface WebhookPlace {
  tenant: string;
  webhook: string;
}

declare module "../../kernel/deps.ts" {
  interface Deps {
    webhookQueue: WebhookQueue;
  }
}
