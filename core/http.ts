import { certificateFault } from "./certificate-fault.ts";
import type { Clock } from "./clock.ts";
import { beforeEffect } from "./effect.ts";
import { AppError } from "./error.ts";
import { type Body, readText, TooLarge } from "./http-body.ts";
import { called, callIn, type OutsideCall } from "./outside.ts";

/**
 * The part of `fetch` that we use: the global one and undici's have it, and a simulated system
 * brings its own.
 */
export type HttpFetch = (url: string, init: HttpInit) => Promise<HttpAnswer>;

interface HttpInit {
  method: string;
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  redirect: "manual";
}

interface HttpAnswer extends Body {
  status: number;
  headers: { get(name: string): string | null };
}

export interface HttpOptions {
  /** The name of the system in messages, such as "the DNS server". */
  system: string;
  /** The URL of the system, without a slash at the end. */
  url: string;
  /** Times each call. */
  wall: Clock;
  /** The limit of one call including the answer's body, in milliseconds of `wall`. */
  timeout: number;
  /** Replaces the global `fetch`: a pool of connections, a private CA, a simulated system. */
  fetch?: HttpFetch;
}

export interface HttpRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path below the base URL, with its leading slash and escaped. */
  path: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** The request changes nothing, whatever its method: it reads, or asks for a token. */
  changesNothing?: true;
}

export interface HttpCredential {
  username: string;
  password: string;
}

/** The answer of a system, whatever its status. */
export interface HttpReply {
  status: number;
  headers: HttpAnswer["headers"];
  text: string;
  /** The body as JSON; undefined if it is not JSON. */
  json: unknown;
}

/**
 * Sends one request to a system that speaks JSON. A request that changes something is sent only if the guard of the
 * work allows it (`core/effect.ts`). A redirect is an answer and is not followed. Throws Unavailable when no answer
 * comes in time, and when it is too large (`http-body.ts`); messages never quote headers or bodies.
 */
export async function ask(options: HttpOptions, request: HttpRequest): Promise<HttpReply> {
  const { system, url, wall, timeout, fetch = globalThis.fetch } = options;
  const { method, path, headers = {}, body, changesNothing } = request;
  if (method !== "GET" && !changesNothing) await beforeEffect();
  const abort = new AbortController();
  const timer = wall.after(timeout, () => abort.abort(new Error(`no answer in ${timeout} ms`)));
  const call = callIn(method, path);
  const send = async (known: OutsideCall) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: abort.signal,
      redirect: "manual",
    });
    const { status, headers: said } = answer;
    known.status = status;
    const text = await readText(answer);
    return { status, headers: said, text, json: parsed(text) };
  };
  try {
    return await called({ words: system, call }, send);
  } catch (error) {
    const place = `${method} ${url}${path}`;
    if (error instanceof TooLarge)
      throw new AppError("Unavailable", `the answer of ${system} ${error.message}`, {
        detail: place,
        call,
      });
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const detail = `${place}: ${String(cause)}`;
    const fault = certificateFault(error, "a trusted authority");
    const words = fault ? `the certificate of ${system} ${fault}` : `${system} does not answer`;
    throw new AppError("Unavailable", words, { detail, cause: error, call });
  } finally {
    timer.cancel();
  }
}

/** The value of an `authorization` header that carries a credential with each request. */
export function basicAuthorization({ username, password }: HttpCredential): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** Whether a status means that the same request may succeed later. */
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
