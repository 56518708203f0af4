/** A refusal of Ironic. */
export class IronicError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Ironic's error is JSON text within JSON. */
export function errorResponse(error: unknown): Response {
  const status = error instanceof IronicError ? error.status : 500;
  const faultstring = error instanceof Error ? error.message : "Internal Server Error";
  const faultcode = status >= 500 ? "Server" : "Client";
  const error_message = JSON.stringify({ faultcode, faultstring, debuginfo: null });
  return Response.json({ error_message }, { status });
}

/** An injected refusal. */
export const refuse = (status: number): Response =>
  errorResponse(new IronicError(status, `injected fault: the service answers ${status}`));
