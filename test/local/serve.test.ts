import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { silent } from "../../core/log.ts";
import { createApp } from "../../functions/api/app.ts";
import { type Handler, serve } from "../../local/serve.ts";
import { people } from "../support/api.ts";
import { testDeps } from "../support/deps.ts";

/** The API behind a real socket. */

describe("a client that goes away within its body", () => {
  it.each([
    ["with a length", "Content-Length: 1000\r\n\r\n{"],
    ["in chunks", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"],
  ])("is no error of ours (%s)", async (_, rest) => {
    const errors: unknown[] = [];
    const log = { ...silent, error: (...line: unknown[]) => void errors.push(line) };
    const app = createApp(testDeps({ log }), { profile: "slipway", principal: () => people.ann });
    const began = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<Response>();
    const handler: Handler = async (request) => {
      began.resolve();
      const answer = await app.fetch(request);
      answered.resolve(answer);
      return answer;
    };
    const listener = await serve(handler, 0);
    onTestFinished(() => listener.close());
    const socket = connect(listener.port, "127.0.0.1");
    socket.write(`POST /api/fulfillment/v1/clusters HTTP/1.1\r\nHost: 127.0.0.1\r\n${rest}`);
    await began.promise;
    socket.destroy();
    expect((await answered.promise).status).toBe(499);
    expect(errors).toEqual([]);
  });
});
