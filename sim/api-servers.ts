import type { DatabaseSync } from "node:sqlite";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Disconnected } from "./faulty.ts";
import type { ServerHandler } from "./kubernetes/api.ts";
import type { KeyPair } from "./kubernetes/certificates.ts";
import { kubeconfig } from "./kubernetes/kubeconfig.ts";
import { serveTls, type TlsServer } from "./kubernetes/tls.ts";

/** Where ports begin in a world without sockets, in which they only name servers. */
const firstPort = 20_001;

export interface ServerSpec {
  /** The handler of requests with this bearer token. */
  handler(token: string): ServerHandler;
  /** Names the cluster in its kubeconfig. */
  cluster: string;
  /** PEM; what clients trust. */
  authority: string;
  identity: KeyPair;
  /** Called once it can be reached. */
  onListening?: () => void;
}

interface Server {
  spec: ServerSpec;
  token: string;
  port: number | undefined;
  handler: ServerHandler;
  /** Nothing to listen on in a world without sockets. */
  listening: Promise<TlsServer | undefined>;
}

interface ApiServersOptions {
  database: DatabaseSync;
  random: () => number;
  /** Listen on loopback; without, the servers answer in process only. */
  sockets: boolean;
}

/** The API servers of the world: each has a port and a token of its own, and keeps them. */
export class ApiServers {
  readonly #database: DatabaseSync;
  readonly #random: () => number;
  readonly #sockets: boolean;
  readonly #servers = new Map<string, Server>();

  constructor({ database, random, sockets }: ApiServersOptions) {
    database.exec(`CREATE TABLE IF NOT EXISTS api_servers (
      name TEXT PRIMARY KEY, token TEXT NOT NULL, port INTEGER UNIQUE
    ) STRICT`);
    this.#database = database;
    this.#random = random;
    this.#sockets = sockets;
  }

  /** Starts a server, or finds it running. */
  serve(name: string, spec: ServerSpec): void {
    if (this.#servers.has(name)) return;
    const { token, port } = this.#remembered(name) ?? this.#register(name);
    const handler = spec.handler(token);
    const listening = this.#sockets ? this.#listen(name, spec, handler, port) : noSocket;
    this.#servers.set(name, { spec, token, port, handler, listening });
    if (!this.#sockets) spec.onListening?.();
    // A failure is told by `ready`.
    else listening.catch(() => undefined);
  }

  /** Once all servers listen. Throws when one cannot, such as when its port was taken meanwhile. */
  async ready(): Promise<void> {
    await Promise.all(Array.from(this.#servers.values(), ({ listening }) => listening));
  }

  url(name: string): string | undefined {
    const port = this.#servers.get(name)?.port;
    return port === undefined ? undefined : `https://127.0.0.1:${port}`;
  }

  /** With the server's own token unless told. Undefined until it listens. */
  kubeconfig(name: string, token?: string): string | undefined {
    const server = this.#servers.get(name);
    const url = this.url(name);
    if (!server || !url) return undefined;
    const { cluster, authority } = server.spec;
    return kubeconfig({ name: cluster, server: url, authority, token: token ?? server.token });
  }

  /** Asks the server on this port, in process. Throws what fetch does when there is none. */
  async fetch(request: Request): Promise<Response> {
    const { port } = new URL(request.url);
    const server = [...this.#servers.values()].find((one) => String(one.port) === port);
    if (!server) {
      const cause = Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${port}`), {
        code: "ECONNREFUSED",
      });
      throw new TypeError("fetch failed", { cause });
    }
    return orAborted(request.signal, server.handler(request));
  }

  /** Ends a server for good. */
  remove(name: string): void {
    const server = this.#servers.get(name);
    this.#servers.delete(name);
    this.#database.prepare("DELETE FROM api_servers WHERE name = ?").run(name);
    void server?.listening.then(close, () => undefined);
  }

  /** Ends all; they come back on the same ports. */
  async stop(): Promise<void> {
    const servers = [...this.#servers.values()];
    this.#servers.clear();
    await Promise.all(servers.map(({ listening }) => listening.then(close, () => undefined)));
  }

  async #listen(
    name: string,
    { identity, onListening }: ServerSpec,
    handler: ServerHandler,
    port: number | undefined,
  ): Promise<TlsServer> {
    const tls = await serveTls(onSocket(handler), { identity, ...(port && { port }) });
    this.#database.prepare("UPDATE api_servers SET port = ? WHERE name = ?").run(tls.port, name);
    const server = this.#servers.get(name);
    if (server) server.port = tls.port;
    onListening?.();
    return tls;
  }

  #remembered(name: string): { token: string; port: number | undefined } | undefined {
    const row = this.#database
      .prepare("SELECT token, port FROM api_servers WHERE name = ?")
      .get(name);
    if (!row) return undefined;
    return { token: String(row.token), port: row.port === null ? undefined : Number(row.port) };
  }

  #register(name: string): { token: string; port: number | undefined } {
    const token = Array.from({ length: 32 }, () =>
      Math.floor(this.#random() * 256)
        .toString(16)
        .padStart(2, "0"),
    ).join("");
    const highest = this.#database.prepare("SELECT max(port) AS port FROM api_servers").get()?.port;
    const port = this.#sockets ? undefined : Math.max(firstPort, Number(highest ?? 0) + 1);
    this.#database
      .prepare("INSERT INTO api_servers (name, token, port) VALUES (?, ?, ?)")
      .run(name, token, port ?? null);
    return { token, port };
  }
}

const noSocket = Promise.resolve(undefined);

async function close(tls: TlsServer | undefined): Promise<void> {
  await tls?.close();
}

/** Cuts the connection where the handler says so. */
function onSocket(handler: ServerHandler): ServerHandler {
  return async (request, peer) => {
    try {
      return await handler(request, peer);
    } catch (error) {
      if (!(error instanceof Disconnected)) throw error;
      peer?.cut();
      return RESPONSE_ALREADY_SENT;
    }
  };
}

/** As fetch: rejects with the signal's reason as soon as it is aborted. */
export function orAborted(signal: AbortSignal, answer: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
