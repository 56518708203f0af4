import { once } from "node:events";
import { createServer, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { FetchHandler } from "./api.ts";
import type { KeyPair } from "./certificates.ts";

export interface TlsOptions {
  identity: KeyPair;
  /** 0, the default, takes any free one. */
  port?: number;
  /** The address to listen on; the certificate has to name it. Loopback unless told. */
  host?: string;
}

export interface TlsServer {
  url: string;
  port: number;
  /** Ends watches and other open connections too, at once. */
  close(): Promise<void>;
}

/** Serves a fetch-style handler over HTTPS, with streaming answers. */
export async function serveTls(
  fetch: FetchHandler,
  { identity, port = 0, host = "127.0.0.1" }: TlsOptions,
): Promise<TlsServer> {
  const serverOptions = { key: identity.key, cert: identity.certificate };
  // With this createServer it is an HTTPS server.
  const server = createAdaptorServer({ fetch, createServer, serverOptions }) as Server;
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  return {
    url: `https://${host}:${address.port}`,
    port: address.port,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      // All of them: the server itself knows none that is still shaking hands.
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
