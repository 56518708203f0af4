import { once } from "node:events";
import { createServer, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { createAdaptorServer, type Http2Bindings, type HttpBindings } from "@hono/node-server";
import type { ServerHandler } from "./api.ts";
import type { KeyPair } from "./certificates.ts";

export interface TlsOptions {
  identity: KeyPair;
  /** The port to listen on; 0, the default, means any free one. */
  port?: number;
  /** The address to listen on, which the certificate must name. Loopback by default. */
  host?: string;
}

export interface TlsServer {
  url: string;
  port: number;
  /** Closes the server, and all watches and other open connections at once. */
  close(): Promise<void>;
}

/**
 * Serves a fetch-style handler over HTTPS, with streamed answers. Requests a client certificate, as API servers do; the
 * handler verifies it.
 */
export async function serveTls(
  handler: ServerHandler,
  { identity, port = 0, host = "127.0.0.1" }: TlsOptions,
): Promise<TlsServer> {
  const serverOptions = {
    ...{ key: identity.key, cert: identity.certificate },
    ...{ requestCert: true, rejectUnauthorized: false },
  };
  const options = { fetch: withPeer(handler), createServer, serverOptions };
  // With this createServer it is an HTTPS server.
  const server = createAdaptorServer(options) as Server;
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
      // Destroys all sockets, since the server does not know those that are still in the TLS handshake.
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Passes the client of the request to the handler, from Node's request in @hono/node-server. */
function withPeer(handler: ServerHandler) {
  return (request: Request, { incoming, outgoing }: HttpBindings | Http2Bindings) => {
    const { socket } = incoming;
    const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
    return handler(request, { certificate, cut: () => outgoing.destroy() });
  };
}
