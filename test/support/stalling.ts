import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Servers that take a request and leave it unanswered, as a hung host does. */

export const stalls: Record<string, RequestListener> = {
  "never answers": () => {},
  "stalls within the body of its answer": (_, answer) => {
    answer.writeHead(200, { "content-length": 100 });
    answer.write("{");
  },
};

/** The address of a server of this test. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
