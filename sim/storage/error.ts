/** An error inside Ceph, answered with status 400, whatever `code` is. */
export class DomainError extends Error {
  readonly code: string;
  readonly component: string | null;
  constructor(message: string, code: string, component: string | null = null) {
    super(message);
    this.code = code;
    this.component = component;
  }
}

/** An error with a status of its own, in the form of an error inside Ceph. */
export class HttpError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(`(${status}, '${message}')`);
    this.status = status;
  }
}

/** A refusal of the manager itself, in another form. */
export class ManagerError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const reasons: Record<number, string> = {
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

export function errorResponse(error: unknown): Response {
  if (error instanceof DomainError) {
    const { message, code, component } = error;
    return Response.json({ detail: message, code, component }, { status: 400 });
  }
  if (error instanceof HttpError) {
    const { message, status: code } = error;
    return Response.json({ detail: message, code, component: null }, { status: code });
  }
  const status = error instanceof ManagerError ? error.status : 500;
  const detail =
    error instanceof ManagerError
      ? error.message
      : "The server encountered an unexpected condition which prevented it from fulfilling the request.";
  const body = {
    status: `${status} ${reasons[status] ?? ""}`.trim(),
    detail,
    request_id: "00000000-0000-4000-8000-000000000000",
  };
  return Response.json(body, { status });
}

/** An injected refusal: a domain error where Ceph would use one. */
export function refuse(status: number): Response {
  const isDomain = status >= 400 && status < 500 && reasons[status] === undefined;
  const detail = `injected fault: the manager answers ${status}`;
  if (isDomain) return Response.json({ detail, code: "injected", component: null }, { status });
  return errorResponse(new ManagerError(status, detail));
}
