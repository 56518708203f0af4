import type { DatabaseSync } from "node:sqlite";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Disconnected } from "./faulty.ts";
import { onFreePort } from "./free-port.ts";
import type { ServerHandler } from "./kubernetes/api.ts";
import type { KeyPair } from "./kubernetes/certificates.ts";
import { kubeconfig } from "./kubernetes/kubeconfig.ts";
import { serveTls, type TlsServer } from "./kubernetes/tls.ts";

export interface ServerSpec {
  /** The handler of requests with this bearer token. */
  handler(token: string): ServerHandler;
  /** The cluster's name in its kubeconfig. */
  cluster: string;
  /** The certificate authority that clients trust, in PEM. */
  authority: string;
  identity: KeyPair;
  /** Called once the server listens. */
  onListening?: () => void;
}

interface Server {
  spec: ServerSpec;
  token: string;
  port: number | undefined;
  handler: ServerHandler;
  /** Its kubeconfigs by URL and token, cached since operators read them often. */
  kubeconfigs: Map<string, string>;
  /** The listening server; undefined in a world without sockets. */
  listening: Promise<TlsServer | undefined>;
}

interface ApiServersOptions {
  database: DatabaseSync;
  random: () => number;
  /** Whether the servers listen on loopback; otherwise they answer in process only. */
  sockets: boolean;
  /** The first port; with sockets, 0 means any. Without sockets, ports only identify servers. */
  firstPort: number;
}

/** The API servers of the world, each with a port and a token that stay the same. */
export class ApiServers {
  readonly #database: DatabaseSync;
  readonly #random: () => number;
  readonly #sockets: boolean;
  readonly #firstPort: number;
  readonly #servers = new Map<string, Server>();

  constructor({ database, random, sockets, firstPort }: ApiServersOptions) {
    database.exec(`CREATE TABLE IF NOT EXISTS api_servers (
      name TEXT PRIMARY KEY, token TEXT NOT NULL, port INTEGER UNIQUE
    ) STRICT`);
    this.#database = database;
    this.#random = random;
    this.#sockets = sockets;
    this.#firstPort = firstPort;
  }

  /** Starts a server, unless it runs. */
  serve(name: string, spec: ServerSpec): void {
    if (this.#servers.has(name)) return;
    const { token, port } = this.#remembered(name) ?? this.#register(name);
    const handler = spec.handler(token);
    const listening = this.#sockets ? this.#listen(name, spec, handler, port) : noSocket;
    this.#servers.set(name, { spec, token, port, handler, listening, kubeconfigs: new Map() });
    if (!this.#sockets) spec.onListening?.();
    // `ready` reports the failures of this call.
    else listening.catch(() => undefined);
  }

  /** Resolves once all servers listen. Throws when one cannot, such as when its port is in use. */
  async ready(): Promise<void> {
    await Promise.all(Array.from(this.#servers.values(), ({ listening }) => listening));
  }

  url(name: string): string | undefined {
    const port = this.#servers.get(name)?.port;
    return port === undefined ? undefined : `https://127.0.0.1:${port}`;
  }

  /** The kubeconfig of a server, with the server's own token by default. Undefined until it listens. */
  kubeconfig(name: string, token?: string): string | undefined {
    const server = this.#servers.get(name);
    const url = this.url(name);
    if (!server || !url) return undefined;
    const given = token ?? server.token;
    const known = server.kubeconfigs.get(`${url} ${given}`);
    if (known !== undefined) return known;
    const { cluster, authority } = server.spec;
    const made = kubeconfig({ name: cluster, server: url, authority, token: given });
    server.kubeconfigs.set(`${url} ${given}`, made);
    return made;
  }

  /** Sends a request to the server on this port, in process. Throws like `fetch` when there is no such server. */
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

  /** Stops a server and forgets its port and token. */
  remove(name: string): void {
    const server = this.#servers.get(name);
    this.#servers.delete(name);
    this.#database.prepare("DELETE FROM api_servers WHERE name = ?").run(name);
    void server?.listening.then(close, () => undefined);
  }

  /** Stops all servers; a later start uses the same ports. */
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
    const serve = (at: number) => serveTls(onSocket(handler), { identity, port: at });
    const tls = await (port ? serve(port) : onFreePort(this.#nextPort(), serve));
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
    const port = this.#sockets ? undefined : this.#nextPort();
    this.#database
      .prepare("INSERT INTO api_servers (name, token, port) VALUES (?, ?, ?)")
      .run(name, token, port ?? null);
    return { token, port };
  }

  /** The first port that no server of this world uses, even if a server does not listen yet. */
  #nextPort(): number {
    if (this.#firstPort === 0) return 0;
    const highest = this.#database.prepare("SELECT max(port) AS port FROM api_servers").get()?.port;
    return Math.max(this.#firstPort, Number(highest ?? 0) + 1);
  }
}

const noSocket = Promise.resolve(undefined);

async function close(tls: TlsServer | undefined): Promise<void> {
  await tls?.close();
}

/** Wraps a handler so that it can cut the connection. */
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

/** The answer; rejects with the signal's reason when the signal is aborted first, as `fetch` does. */
export function orAborted(signal: AbortSignal, answer: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
