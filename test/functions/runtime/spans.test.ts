import { createSocket } from "node:dgram";
import type { Context } from "aws-lambda";
import { afterEach, expect, it, vi } from "vitest";
import { systemClock } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import { ask } from "../../../core/http.ts";
import { called, watched } from "../../../core/outside.ts";
import { handled } from "../../../functions/runtime/handled.ts";
import { type Span, spanWatch } from "../../../functions/runtime/spans.ts";

/** Spans of calls of systems outside, in the trace of the run that makes them. */

const header = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1";

afterEach(() => vi.unstubAllEnvs());

/** The spans of what `work` calls, with a clock that is a second later at each look. */
async function spansOf(work: () => Promise<unknown>, trace = header): Promise<Span[]> {
  const spans: Span[] = [];
  let [seconds, ids] = [1_000_000, 0];
  const watch = spanWatch(trace, {
    send: (span) => spans.push(span),
    now: () => seconds++ * 1000,
    newId: () => String(++ids).padStart(16, "0"),
  });
  await (watch ? watched(watch, work) : work()).catch(() => {});
  return spans;
}

const answering = (status: number) => async () => ({
  status,
  headers: new Headers(),
  body: new Response("{}").body,
  text: async () => "{}",
});

const request = (status: number) => () =>
  ask(
    {
      system: "the DNS server",
      url: "https://dns",
      wall: systemClock,
      timeout: 1000,
      fetch: answering(status),
    },
    { method: "GET", path: "/api/v1/servers/localhost/zones/shop?secret=1" },
  );

it("makes a call a subsegment of the run, as AWS's own SDK sends one", async () => {
  expect(await spansOf(request(200))).toEqual([
    {
      type: "subsegment",
      namespace: "remote",
      id: "0000000000000001",
      trace_id: "1-5759e988-bd862e3fe1be46a994272793",
      parent_id: "53995c3f42cd8ad8",
      name: "DNS server",
      start_time: 1_000_000,
      end_time: 1_000_001,
      annotations: { call: "GET servers/localhost/zones/shop" },
      http: { response: { status: 200 } },
    },
  ]);
});

it.each([
  [200, {}],
  [404, { error: true }],
  [409, { error: true }],
  [429, { error: true, throttle: true }],
  [500, { fault: true }],
  [503, { fault: true }],
])("says of an answer with %d whose fault it is", async (status, outcome) => {
  const [{ error, throttle, fault } = {}] = await spansOf(request(status));
  expect({ error, throttle, fault }).toEqual(outcome);
});

it("names the system and which one it is, known from around the call", async () => {
  const from = { system: "hub", instance: "hub-a" };
  const inner = () => called({ words: "the hub", call: "PATCH nodepools/shop" }, async () => {});
  const spans = await spansOf(() => called({ from }, inner));
  expect(spans).toMatchObject([
    {
      name: "hub hub-a",
      annotations: { system: "hub", instance: "hub-a", call: "PATCH nodepools/shop" },
    },
  ]);
});

it("says what our errors say of a call that fails, and nothing of what others quote", async () => {
  const failing = (error: Error) => () => called({ call: "GET x" }, () => Promise.reject(error));
  const ours = new AppError("Unavailable", "the hub does not answer", { detail: "https://secret" });
  const [first] = await spansOf(failing(ours));
  expect(first).toMatchObject({
    name: "a system outside",
    fault: true,
    cause: { exceptions: [{ type: "Unavailable", message: "the hub does not answer" }] },
  });
  const [second] = await spansOf(failing(new TypeError("Bearer secret is not a header")));
  expect(second?.cause?.exceptions).toMatchObject([
    { type: "TypeError", message: "the call failed" },
  ]);
  expect(JSON.stringify([first, second])).not.toContain("secret");
});

it.each([
  ["a name with words that X-Ray does not take", 'the <hub> "a"', "hub a"],
  ["a long name", `the ${"x".repeat(300)}`, "x".repeat(200)],
])("has names that X-Ray takes, for %s", async (_, words, name) => {
  const spans = await spansOf(() => called({ words, call: "GET x" }, async () => {}));
  expect(spans).toMatchObject([{ name }]);
});

it.each(["", "Root=1-a;Parent=b;Sampled=0", "Root=1-a;Sampled=1"])(
  "makes none where nothing is recorded: %j",
  async (trace) => {
    expect(await spansOf(request(200), trace)).toEqual([]);
  },
);

it("tells everybody who watches, and keeps calls side by side apart", async () => {
  const seen: string[] = [];
  const noting = (who: string) => (call: { call?: string }) => {
    seen.push(`${who} ${call.call} begins`);
    return () => seen.push(`${who} ${call.call} ends`);
  };
  const one = (call: string) => called({ call }, async () => {});
  await watched(noting("a"), () => watched(noting("b"), () => Promise.all([one("x"), one("y")])));
  expect(seen.toSorted()).toEqual(
    ["a", "b"].flatMap((who) =>
      ["x", "y"].flatMap((call) => [`${who} ${call} begins`, `${who} ${call} ends`]),
    ),
  );
});

it("hands the spans of a run to the daemon beside it", async () => {
  const daemon = createSocket("udp4");
  await new Promise<void>((resolve) => daemon.bind(0, "127.0.0.1", resolve));
  vi.stubEnv("AWS_XRAY_DAEMON_ADDRESS", `127.0.0.1:${daemon.address().port}`);
  vi.stubEnv("_X_AMZN_TRACE_ID", header);
  const received = new Promise<string>((resolve) =>
    daemon.once("message", (message) => resolve(message.toString())),
  );
  await handled(request(200))(undefined, { awsRequestId: "r" } as Context);
  const [format, document = ""] = (await received).split("\n");
  expect(format).toBe('{"format":"json","version":1}');
  expect(JSON.parse(document)).toMatchObject({ name: "DNS server", type: "subsegment" });
  await new Promise<void>((resolve) => daemon.close(() => resolve()));
});
