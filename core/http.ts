import type { Clock } from "./clock.ts";
import { AppError } from "./error.ts";

/** What `fetch` is to us; the global one is such, undici's is, and a simulated system brings its own. */
export type HttpFetch = (url: string, init: HttpInit) => Promise<HttpAnswer>;

interface HttpInit {
  method: string;
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  redirect: "manual";
}

interface HttpAnswer {
  status: number;
  headers: { get(name: string): string | null };
  text(): Promise<string>;
}

export interface HttpOptions {
  /** The system in messages, such as "the DNS server". */
  system: string;
  /** Where it answers, without a slash at the end. */
  url: string;
  /** Times each call. */
  wall: Clock;
  /** For one call with its answer's body, in milliseconds of `wall`. */
  timeout: number;
  /** In place of the global one: a pool of its own, a private CA, a simulated system. */
  fetch?: HttpFetch;
}

export interface HttpRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** From the base, with its slash and what has to be escaped in it escaped. */
  path: string;
  headers?: Record<string, string>;
  /** Becomes JSON. */
  body?: unknown;
}

/** What a system said: whatever status it has. */
export interface HttpReply {
  status: number;
  headers: HttpAnswer["headers"];
  text: string;
  /** The body as JSON; undefined where it is none. */
  json: unknown;
}

/**
 * One request to a system that speaks JSON. A redirect is an answer, it is not followed. Throws
 * Unavailable when there is no answer in time; headers and bodies are in no message.
 */
export async function ask(options: HttpOptions, request: HttpRequest): Promise<HttpReply> {
  const { system, url, wall, timeout, fetch = globalThis.fetch } = options;
  const { method, path, headers = {}, body } = request;
  const abort = new AbortController();
  const timer = wall.after(timeout, () => abort.abort(new Error(`no answer in ${timeout} ms`)));
  try {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: abort.signal,
      redirect: "manual",
    });
    const text = await answer.text();
    const { status, headers: said } = answer;
    return { status, headers: said, text, json: parsed(text) };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const detail = `${method} ${url}${path}: ${String(cause)}`;
    throw new AppError("Unavailable", `${system} does not answer`, { detail, cause: error });
  } finally {
    timer.cancel();
  }
}

/** A status that says: not now, ask again. */
export function isTransient(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
