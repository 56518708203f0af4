import type { AddressInfo } from "node:net";
import {
  type Http2Bindings,
  type HttpBindings,
  type ServerType,
  serve as serveFetch,
} from "@hono/node-server";

export interface Listener {
  url: string;
  port: number;
  close(): Promise<void>;
}

/** Answers a request; `source` is the client's address. */
export type Handler = (request: Request, source: string) => Response | Promise<Response>;

/** Serves a fetch handler on loopback. Port 0 means any. Throws if the port is in use. */
export function serve(handler: Handler, port: number): Promise<Listener> {
  const fetch = (request: Request, { incoming }: HttpBindings | Http2Bindings) =>
    handler(request, incoming.socket.remoteAddress ?? "");
  return new Promise((resolve, reject) => {
    const server: ServerType = serveFetch(
      { fetch, port, hostname: "127.0.0.1" },
      (address: AddressInfo) => {
        resolve({
          url: `http://127.0.0.1:${address.port}`,
          port: address.port,
          close: () => close(server),
        });
      },
    );
    server.once("error", reject);
  });
}

function close(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // Closes open watches, which would delay the shutdown.
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
}
