/** The port to receivers of webhooks: servers of third parties, named by tenants. */
export interface WebhookTransport {
  /** Why a webhook may not have this URL; undefined when it may. Judges the text only. */
  refusal(url: string): Promise<string | undefined>;
  /**
   * Sends one POST and does not follow redirects. Answers the receiver's response, whatever it is;
   * throws Rejected when the address may not be reached, and Unavailable when no answer comes in
   * time.
   */
  post(
    url: string,
    request: { headers: Record<string, string>; body: string },
  ): Promise<WebhookAnswer>;
}

export interface WebhookAnswer {
  status: number;
  /** At most the first KB of the body. */
  text: string;
}

declare module "../../kernel/deps.ts" {
  interface Deps {
    webhooks: WebhookTransport;
  }
}
