/** A refusal of NetBox, with its body. */
export class NetboxRefusal extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;

  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    super(JSON.stringify(body));
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export const detail = (status: number, text: string): NetboxRefusal =>
  new NetboxRefusal(status, { detail: text });

export const invalid = (field: string, ...texts: string[]): NetboxRefusal =>
  new NetboxRefusal(400, { [field]: texts });

/** An unhandled error has a body in a form of its own. */
export function errorResponse(error: unknown): Response {
  if (error instanceof NetboxRefusal)
    return Response.json(error.body, { status: error.status, headers: error.headers });
  const [text, exception] =
    error instanceof Error ? [error.message, error.name] : ["", "Exception"];
  return Response.json({ error: text, exception, netbox_version: "4.6.8" }, { status: 500 });
}

/** An injected refusal. */
export const refuse = (status: number): Response =>
  errorResponse(detail(status, `injected fault: the server answers ${status}`));
