const titles = { 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found" };

/** A refusal with Keystone's message. */
export class KeystoneFault extends Error {
  readonly status: keyof typeof titles;
  /** Members of the error beside its message. */
  readonly more: object;

  constructor(status: keyof typeof titles, message: string, more: object = {}) {
    super(message);
    this.status = status;
    this.more = more;
  }

  response(origin: string): Response {
    const { status, message, more } = this;
    const error = { code: status, ...more, message, title: titles[status] };
    const headers = status === 401 ? { "www-authenticate": `Keystone uri="${origin}"` } : undefined;
    return Response.json({ error }, { status, ...(headers && { headers }) });
  }
}

export const unauthorized = () =>
  new KeystoneFault(401, "The request you have made requires authentication.");

export const expecting = (what: string, where: string) =>
  new KeystoneFault(
    400,
    `Expecting to find ${what} in ${where}. The server could not comply with the request since it is ` +
      "either malformed or otherwise incorrect. The client is assumed to be in error.",
  );
