import { expect, it } from "vitest";
import { Client } from "../../cli/client.ts";
import { exits } from "../../cli/exit.ts";
import { recording } from "../support/terminal.ts";

/** What the client makes of connections that are lost, and of answers that are not Slipway's. */

/** An answer whose connection is lost in the middle. */
const cut = (): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"items": ['));
        controller.error(new TypeError("terminated"));
      },
    }),
    { headers: { "content-type": "application/json" } },
  );

function asked(...answers: (() => Response)[]) {
  const methods: string[] = [];
  const { around } = recording({
    async fetch(_, { method = "GET" }) {
      methods.push(method);
      return answers[methods.length - 1]?.() ?? Response.json({ id: "1" });
    },
    now: () => 0,
    pause: async () => {},
  });
  return { methods, client: new Client({ url: "http://slipway", token: "t" }, around) };
}

it.each(["GET", "PATCH", "DELETE"])("sends a %s again whose answer is cut off", async (method) => {
  const { client, methods } = asked(cut, cut);
  expect((await client.ask({ method, path: "/api/x" })).body).toEqual({ id: "1" });
  expect(methods).toEqual([method, method, method]);
});

it("sends a POST without a key once, and says that nothing is reached", async () => {
  const { client, methods } = asked(cut);
  await expect(client.ask({ method: "POST", path: "/api/x", body: {} })).rejects.toMatchObject({
    exit: exits.unreachable,
    message: "http://slipway is not reached: terminated",
  });
  expect(methods).toEqual(["POST"]);
});

it("takes no web page for an answer of Slipway's", async () => {
  const page = () => new Response("<html>", { headers: { "content-type": "text/html" } });
  const { client } = asked(page);
  await expect(client.get("/api/fulfillment/v1/clusters")).rejects.toMatchObject({
    exit: exits.unreachable,
    message: "http://slipway answers with a web page, and not as Slipway",
  });
});
