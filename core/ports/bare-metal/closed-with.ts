import type { BareMetalServer } from "./server.ts";

/** The server; closing it also closes its connections, even when ending the session fails. */
export function closedWith(server: BareMetalServer, close: () => Promise<void>): BareMetalServer {
  const end = server.close.bind(server);
  server.close = async () => {
    try {
      await end();
    } finally {
      await close();
    }
  };
  return server;
}
