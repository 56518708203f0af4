import type { BareMetalServer } from "./server.ts";

/** The server, whose connections are closed with it, even where the end of its session fails. */
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
