import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AgentState } from "./agent.ts";

export interface AgentHealth {
  port: number;
  close(): Promise<void>;
}

/**
 * Serves the kubelet's probes. `/healthz` tells whether the process works, independently of the hub and of
 * Slipway, since a restart would repair neither. `/readyz` tells whether the agent watches every kind,
 * Slipway accepts its reports, and waiting reports are on disk. Both answer the state. Throws when the port
 * is in use.
 */
export function serveHealth(
  state: () => AgentState,
  { port, host }: { port: number; host?: string },
): Promise<AgentHealth> {
  const server = createServer((request, response) => {
    const now = state();
    const status = statusFor(request.url, now);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(status === 404 ? {} : now));
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host }, () => {
      // A listening TCP server has an address and a port.
      const address = server.address() as AddressInfo;
      resolve({
        port: address.port,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}

function statusFor(path: string | undefined, state: AgentState): number {
  if (path === "/healthz") return 200;
  if (path !== "/readyz") return 404;
  const { unwatched, is_heard, is_durable } = state;
  return unwatched.length === 0 && is_heard && is_durable ? 200 : 503;
}
