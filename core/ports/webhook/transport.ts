/** The port for receivers of webhooks: servers of third parties, whose URLs tenants choose. */
export interface WebhookTransport {
  /** Why a webhook may not have this URL; undefined if it may. Checks the text only. */
  refusal(url: string): Promise<string | undefined>;
  /**
   * Sends one POST; does not follow redirects. Answers the receiver's response, whatever its status. Throws
   * Rejected when the address is not permitted, and Unavailable when no answer comes in time.
   */
  post(
    url: string,
    request: { headers: Record<string, string>; body: string },
  ): Promise<WebhookAnswer>;
}

export interface WebhookAnswer {
  status: number;
  /** The first KB of the body at most. */
  text: string;
}

declare module "../../kernel/request/request-deps.ts" {
  interface RequestDeps {
    webhooks: WebhookTransport;
  }
}
