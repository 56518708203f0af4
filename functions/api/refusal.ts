import type { Context, Hono } from "hono";
import { AppError, toAppError } from "../../core/error.ts";
import type { Deps } from "../../core/kernel/deps.ts";
import { bodyLimit, malformed } from "./body.ts";
import { problemOf } from "./problem.ts";

/** Values that the handlers of one request share. */
export interface Env {
  Variables: { requestId: string };
  /** Passed by the caller of a family. */
  Bindings: { requestId?: string };
}

/** Answers every error of an app, and every unknown path, with a problem. */
export function refusing(app: Hono<Env>, deps: Deps): void {
  app.notFound(routeNotFound);
  app.onError((thrown, c) => {
    const error = hasGone(c, thrown)
      ? new AppError("Cancelled", "the request ended within its body")
      : toAppError(thrown);
    if (error.kind === "Internal") logDefect(deps, c, error);
    return refuse(c, error);
  });
}

/** Answers other methods of these paths (in Hono's form) with a refusal. */
export function refusingMethods(
  app: Hono<Env>,
  served: readonly { path: string; method: string }[],
): void {
  for (const [path, those] of Map.groupBy(served, ({ path }) => path)) {
    // OSAC's status, with the header that RFC 9110 requires.
    const headers = { Allow: [...new Set(those.map(({ method }) => method))].join(", ") };
    const error = new AppError("Unimplemented", "Method Not Allowed");
    app.all(path, (c) => refuse(c, error, { headers }));
  }
}

export function refuse(
  c: Context<Env>,
  error: AppError,
  { status, headers: more }: { status?: number; headers?: Record<string, string> | undefined } = {},
): Response {
  const problem = problemOf(error, { instance: c.req.path, requestId: c.get("requestId") }, status);
  const headers: Record<string, string> = { "Content-Type": "application/problem+json" };
  if (problem.status === 401)
    headers["WWW-Authenticate"] = `Bearer error_description="${error.message}"`;
  if (error.retryable) headers["Retry-After"] = String(error.retryAfter);
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { ...headers, ...more, "X-Request-Id": problem.request_id },
  });
}

export const routeNotFound = (c: Context<Env>): Response =>
  refuse(c, new AppError("NotFound", "Not Found"));

export const tooLarge = (c: Context<Env>): Response =>
  refuse(c, malformed(`is larger than ${bodyLimit} bytes`), { status: 413 });

/**
 * Whether the client disconnected while it sent its body: then nobody reads the answer, and the error is not ours.
 */
const hasGone = (c: Context<Env>, thrown: Error): boolean =>
  c.req.raw.signal.aborted && "code" in thrown && thrown.code === "ECONNRESET";

function logDefect(deps: Deps, c: Context<Env>, error: AppError): void {
  deps.log.error(
    {
      request_id: c.get("requestId"),
      method: c.req.method,
      path: c.req.path,
      detail: error.detail,
    },
    "a request failed",
  );
}
