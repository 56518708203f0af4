import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../../core/clock.ts";
import { httpsTransport, type Resolve } from "../../../../core/ports/webhook/https.ts";
import { eventually } from "../../../support/eventually.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";

/** The transport that real receivers are reached by, over sockets of this machine. */

async function receiver(handle: RequestListener) {
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}/hook`, asked: () => asked };
}

const message = { headers: { "webhook-id": "1" }, body: "{}" };
const to =
  (...addresses: string[]): Resolve =>
  (_, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );

it("posts, and answers what the receiver says, of its body the beginning", async () => {
  const got: string[] = [];
  const { url } = await receiver((request, response) => {
    request.on("data", (chunk) => got.push(String(chunk)));
    request.on("end", () => {
      response.statusCode = 500;
      response.end("x".repeat(5_000_000));
    });
  });
  const transport = httpsTransport({ wall: systemClock, loopback: true });
  const answer = await transport.post(url, { ...message, body: '{"a":1}' });
  expect(answer).toEqual({ status: 500, text: "x".repeat(1024) });
  expect(got.join("")).toBe('{"a":1}');
});

it("does not follow a redirect", async () => {
  const inside = await receiver((_, response) => response.end("secret"));
  const { url } = await receiver((_, response) => {
    response.writeHead(307, { location: inside.url }).end();
  });
  const transport = httpsTransport({ wall: systemClock, loopback: true });
  expect((await transport.post(url, message)).status).toBe(307);
  expect(inside.asked()).toBe(0);
});

it.each([
  ["this machine", ["127.0.0.1"]],
  ["this machine by IPv6", ["::1"]],
  ["IPv4 in IPv6", ["::ffff:127.0.0.1"]],
  ["metadata", ["169.254.169.254"]],
  ["a private network", ["10.1.2.3"]],
  ["a public address and a private one", ["8.8.8.8", "192.168.0.1"]],
])("does not connect where a name leads to %s", async (_, addresses) => {
  const inside = await receiver((_, response) => response.end());
  const transport = httpsTransport({ wall: systemClock, resolve: to(...addresses) });
  const post = transport.post(`https://receiver.example.com:${inside.port}/`, message);
  await expect(post).rejects.toMatchObject({ kind: "Rejected" });
  expect(inside.asked()).toBe(0);
});

it("connects to the address that it judged, however the name server answers afterwards", async () => {
  const inside = await receiver((_, response) => response.end());
  let asked = 0;
  const rebinding: Resolve = (name, done) =>
    to(asked++ === 0 ? "127.0.0.1" : "10.0.0.1")(name, done);
  const transport = httpsTransport({ wall: systemClock, loopback: true, resolve: rebinding });
  const url = `http://localhost:${inside.port}/`;
  expect((await transport.post(url, message)).status).toBe(200);
  expect(asked).toBe(1);
});

it.each(["http://127.0.0.1:PORT/", "https://127.0.0.1:PORT/", "https://[::ffff:7f00:1]:PORT/"])(
  "does not connect to %s where loopback is not allowed",
  async (url) => {
    const inside = await receiver((_, response) => response.end());
    const transport = httpsTransport({ wall: systemClock });
    const post = transport.post(url.replace("PORT", String(inside.port)), message);
    await expect(post).rejects.toMatchObject({ kind: "Rejected" });
    expect(inside.asked()).toBe(0);
  },
);

it("speaks without TLS to this machine only, even where that is allowed", async () => {
  const transport = httpsTransport({ wall: systemClock, loopback: true, resolve: to("8.8.8.8") });
  const post = transport.post("http://localhost:1/", message);
  await expect(post).rejects.toMatchObject({ kind: "Rejected" });
});

it("gives up on a receiver after 10 s, one that drips its answer included", async () => {
  for (const handle of [
    () => {},
    (_: unknown, response: Parameters<RequestListener>[1]) => response.write("x"),
  ] as RequestListener[]) {
    const { url, asked } = await receiver(handle);
    const wall = new VirtualClock();
    const transport = httpsTransport({ wall, loopback: true });
    const post = transport.post(url, message);
    const outcome = expect(post).rejects.toMatchObject({
      kind: "Unavailable",
      message: "no answer in 10 s",
    });
    await eventually(() => expect(asked()).toBe(1));
    await wall.advance(10_000);
    await outcome;
  }
});

it("says of a receiver that is not there that it is not", async () => {
  const transport = httpsTransport({ wall: systemClock, loopback: true });
  await expect(transport.post("http://127.0.0.1:1/", message)).rejects.toMatchObject({
    kind: "Unavailable",
    message: "cannot be reached: ECONNREFUSED",
  });
});
