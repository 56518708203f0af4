import {
  type HttpLibrary,
  KubeConfig,
  type RequestContext,
  ResponseContext,
  wrapHttpLibrary,
} from "@kubernetes/client-node";
import { Agent, buildConnector, fetch as fetchOver } from "undici";
import type { Clock } from "../../clock.ts";
import { type Body, readText } from "../../http-body.ts";
import { called, callIn } from "../../outside.ts";
import { timeLeft } from "./time-left.ts";

/**
 * How to reach a Kubernetes API server: the members of a kubeconfig that Slipway honours. The CA is read for
 * each new connection and the token for each request, because the kubelet replaces both in a pod.
 */
export interface Connection {
  /** `https://host:port`, without a slash at the end. */
  server: string;
  /** The CA in PEM; the system's own CAs if absent. */
  ca?: string;
  /** The name on the server's certificate, if it differs from the host of `server`. */
  serverName?: string;
  token?: string;
  /** PEM; both or neither. */
  clientCertificate?: string;
  clientKey?: string;
}

/** Sends a request; simulations replace it. */
export type Fetch = typeof globalThis.fetch;

/** A server did not answer `call`: no connection, a timeout, or too large an answer (`cause`). */
export class NoAnswer extends Error {
  readonly call: string;

  constructor(message: string, call: string, options?: ErrorOptions) {
    super(message, options);
    this.call = call;
  }
}

/** The part of an answer that both kinds of `fetch` have. */
export interface Answer extends Body {
  status: number;
  ok: boolean;
  headers: Iterable<[string, string]>;
}

/**
 * The limit of one answer of an API server, in bytes. A page of a list has 500 objects; in etcd each may have
 * 1.5 MB, and most have less than 20 KB.
 */
const answerLimit = 64 * 1024 * 1024;

/**
 * The client's own KubeConfig opens a connection for each request when a CA is set; this one shares a pool of
 * keep-alive connections. It runs no command and reads no file.
 */
export class PooledConfig extends KubeConfig {
  readonly #connection: Connection;
  readonly #pool: Agent;
  readonly #fetch: Fetch | undefined;

  constructor(connection: Connection, pool: Agent.Options = {}, fetch?: Fetch) {
    super();
    this.loadFromClusterAndUser(
      { name: "hub", server: connection.server, skipTLSVerify: false },
      { name: "slipway" },
    );
    this.#connection = connection;
    this.#fetch = fetch;
    this.#pool = new Agent({
      connect: connectorOf(connection),
      connections: 8,
      keepAliveTimeout: 30_000,
      ...pool,
    });
  }

  override async applySecurityAuthentication(context: RequestContext): Promise<void> {
    const { token } = this.#connection;
    if (token !== undefined) context.setHeaderParam("Authorization", `Bearer ${token}`);
    context.setHeaderParam("User-Agent", "slipway");
    context.setDispatcher(this.#pool);
  }

  /** Sends a request that already has its credentials. */
  async send(request: RequestContext, signal: AbortSignal): Promise<Answer> {
    const url = request.getUrl();
    const method = request.getHttpMethod();
    const headers = request.getHeaders();
    const body = request.getBody();
    // Our request bodies are JSON text.
    if (body !== undefined && typeof body !== "string") throw new Error("the body must be text");
    // An API server never redirects.
    const init = { method, headers, body, signal, redirect: "error" } as const;
    return this.#fetch
      ? this.#fetch(url, init)
      : fetchOver(url, { ...init, dispatcher: request.getDispatcher() });
  }

  /** Closes the connections after their requests have ended. */
  async close(): Promise<void> {
    if (!this.#pool.closed) await this.#pool.close();
  }
}

/** Opens connections with the CA that `connection` has at that time. */
function connectorOf(connection: Connection): buildConnector.connector {
  let current: { ca: string | undefined; connect: buildConnector.connector } | undefined;
  const connectorNow = (): buildConnector.connector => {
    const { ca, clientCertificate: cert, clientKey: key, serverName: servername } = connection;
    // Reused while the CA is the same, because it caches the TLS sessions that a connection may resume.
    if (!current || current.ca !== ca)
      current = { ca, connect: buildConnector({ ca, cert, key, servername, timeout: 5000 }) };
    return current.connect;
  };
  return (options, callback) => {
    let connect: buildConnector.connector;
    try {
      connect = connectorNow();
    } catch (error) {
      // The CA cannot be read.
      callback(error instanceof Error ? error : new Error(String(error)), null);
      return;
    }
    connect(options, callback);
  };
}

/**
 * Sends requests with a time limit for each (milliseconds), the answer's body included; `words` name the
 * server. Throws NoAnswer.
 */
export function httpLibrary(
  config: PooledConfig,
  wall: Clock,
  limits: { read: number; write: number },
  words: string,
): HttpLibrary {
  const send = async (request: RequestContext) => {
    const call = callIn(request.getHttpMethod(), request.getUrl());
    return called({ words, call }, async (known) => {
      const limit = timeLeft(wall, changesNothing(request) ? limits.read : limits.write);
      const response = await sendWithin(limit, wall, config, request, call);
      known.status = response.httpStatusCode;
      return response;
    });
  };
  return wrapHttpLibrary({ send });
}

/** Whether a request only reads; self-subject reviews are reads too, though sent by POST. */
const changesNothing = (request: RequestContext): boolean =>
  request.getHttpMethod() === "GET" ||
  /\/selfsubject(access)?reviews$/.test(new URL(request.getUrl()).pathname);

async function sendWithin(
  timeout: number,
  wall: Clock,
  config: PooledConfig,
  request: RequestContext,
  call: string,
): Promise<ResponseContext> {
  const abort = new AbortController();
  const timer = wall.after(timeout, () => abort.abort(new Error(`no answer in ${timeout} ms`)));
  try {
    const response = await config.send(request, abort.signal);
    const text = await readText(response, answerLimit);
    const body = {
      text: () => Promise.resolve(text),
      binary: () => Promise.resolve(Buffer.from(text)),
      stream: () => null,
    };
    return new ResponseContext(response.status, Object.fromEntries(response.headers), body);
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new NoAnswer(String(reason), call, { cause: error });
  } finally {
    timer.cancel();
  }
}
