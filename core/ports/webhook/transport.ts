/** The port to receivers of webhooks: anybody's servers, named by tenants. */
export interface WebhookTransport {
  /** Why no webhook may have this URL; undefined when one may. Looks at the text only. */
  refusal(url: string): Promise<string | undefined>;
  /**
   * Sends one POST and does not follow redirects. Answers whatever the receiver says; throws
   * Rejected when its address is none that may be reached, Unavailable when there is no answer in time.
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
