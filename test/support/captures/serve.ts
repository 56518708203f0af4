import { setTimeout as pause } from "node:timers/promises";
import { serve as listen, type ServerType } from "@hono/node-server";
import { onTestFinished } from "vitest";

/** A handler of requests behind real HTTP on loopback, for as long as the test runs. Answers its host and port. */
export async function serve(
  handle: (request: Request) => Promise<Response>,
  delay = 0,
): Promise<string> {
  let server: ServerType | undefined;
  const port = await new Promise<number>((resolve) => {
    const fetch = async (request: Request) => {
      if (delay > 0) await pause(delay);
      return handle(request);
    };
    server = listen({ fetch, hostname: "127.0.0.1", port: 0 }, (info) => resolve(info.port));
  });
  onTestFinished(() => new Promise<void>((resolve) => void server?.close(() => resolve())));
  return `127.0.0.1:${port}`;
}
