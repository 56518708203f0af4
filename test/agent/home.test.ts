import { expect, it } from "vitest";
import { homeByHttps } from "../../agent/home.ts";
import { AgentOutbox } from "../../agent/outbox.ts";
import type { HttpFetch } from "../../core/http.ts";
import { silent } from "../../core/log.ts";
import { newsOfKind } from "../support/news.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

const answering =
  (status: number): HttpFetch =>
  async () =>
    Response.json({ detail: "why" }, { status });

function home(fetch: HttpFetch, wall = new VirtualClock()) {
  const url = "https://api.example.com";
  return homeByHttps({ url, hub: "hub a/b", token: () => "secret-token", wall, fetch });
}
const message = { heartbeat: true, news: [] };

it("sends the message with its token to the hub's own path", async () => {
  const calls: unknown[] = [];
  await home(async (url, { method, headers, body }) => {
    calls.push([method, url, headers.authorization, JSON.parse(body ?? "")]);
    return Response.json({});
  })(message);
  const url = "https://api.example.com/api/private/v1/hubs/hub%20a%2Fb/reports";
  expect(calls).toEqual([["POST", url, "Bearer secret-token", message]]);
});

it.each([
  [400, "Rejected"],
  [413, "Rejected"],
  [422, "Rejected"],
  [301, "Unavailable"],
  [401, "Unavailable"],
  [403, "Unavailable"],
  [404, "Unavailable"],
  [429, "Unavailable"],
  [500, "Unavailable"],
  [503, "Unavailable"],
])("an answer %i is %s, and quotes no token", async (status, kind) => {
  const refused = home(answering(status))(message);
  await expect(refused).rejects.toMatchObject({ kind });
  await expect(refused.catch((error) => JSON.stringify(error))).resolves.not.toContain("secret");
});

it("gives a home that does not answer up in time", async () => {
  const wall = new VirtualClock();
  const silentHome: HttpFetch = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  const report = home(silentHome, wall)(message);
  const refused = expect(report).rejects.toMatchObject({ kind: "Unavailable" });
  await wall.advance(15_000);
  await refused;
});

it("comes back ever more slowly to a home that says 429, up to every half minute", async () => {
  const wall = new VirtualClock();
  const times: number[] = [];
  const send = home(async () => {
    times.push(wall.now());
    return Response.json({}, { status: times.length > 12 ? 200 : 429 });
  }, wall);
  const outbox = new AgentOutbox();
  const ended = new AbortController();
  const done = outbox.run({ send, wall, random: () => 1, log: silent, signal: ended.signal });
  outbox.add(newsOfKind("Agent"));
  while (times.length <= 12) await wall.advance(500);
  await outbox.emptied();
  const pauses = times.slice(1).map((time, n) => time - (times[n] ?? 0));
  const seconds = [1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30, 30];
  expect(pauses).toEqual(seconds.map((each) => each * 1000));
  ended.abort(new Error("stop"));
  await done;
});
