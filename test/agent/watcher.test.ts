import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type HubAgent, startAgent } from "../../agent/agent.ts";
import { hours, minutes, seconds } from "../../core/clock.ts";
import { silent } from "../../core/log.ts";
import type { Message, News } from "../../core/ports/hub/news.ts";
import { TestHub } from "../support/hub-api.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

/** How the agent follows a hub through outages, in virtual time. */

let hub: TestHub;
let wall: VirtualClock;
let agent: HubAgent;
let news: News[];
let heartbeats: Message[];
/** What the hub answers to watches of Agents, instead of watching. */
let watches: (request: Request) => Response | undefined;
let isDown: boolean;

beforeEach(() => {
  hub = new TestHub();
  wall = new VirtualClock();
  news = [];
  heartbeats = [];
  watches = () => undefined;
  isDown = false;
  hub.intercept = (request) => {
    if (isDown) return answer(503);
    return isOf(request, "watch=true") ? watches(request) : undefined;
  };
});

afterEach(async () => {
  // A request under way ends at its limit.
  await wall.until(agent.stop());
});

function start(): void {
  agent = startAgent({
    connection: { server: "https://hub.example.com", token: "the-token" },
    fetch: async (input, init) => hub.fetch(new Request(input, init)),
    report: async (message) => {
      news.push(...message.news);
      if (message.heartbeat) heartbeats.push(message);
    },
    ...{ clock: wall, wall, log: silent, heartbeatEvery: minutes(1), random: () => 1 },
  });
}

const answer = (code: number) => Response.json({ kind: "Status", code }, { status: code });
const isOf = ({ url }: Request, what: string) => url.includes("/agents?") && url.includes(what);
const lists = () => hub.requests.filter((request) => isOf(request, "limit=")).length;
const told = () => news.map(({ object }) => object.metadata.name);

/** A watch that was open is cut, and the hub is unreachable for so long. */
async function outage(ms: number): Promise<void> {
  watches = () => new Response("");
  start();
  await wall.advance(0);
  isDown = true;
  await wall.advance(ms);
  isDown = false;
}

it("a hub that was unreachable and has forgotten the version is listed at once", async () => {
  await outage(minutes(10));
  const before = lists();
  let listedWhenRefused: number | undefined;
  watches = () => {
    if (listedWhenRefused !== undefined) return undefined;
    listedWhenRefused = wall.now();
    hub.createAgent("agent-1");
    return answer(410);
  };
  while (listedWhenRefused === undefined) await wall.advance(seconds(1));
  // No pause any more: nothing but what was under way has to happen.
  await wall.advance(0);
  expect(lists()).toBe(before + 1);
  expect(told()).toEqual(["agent-1"]);
});

it("a hub that calls every version forgotten is not asked without a pause", async () => {
  watches = () => answer(410);
  start();
  await wall.advance(minutes(5));
  expect(lists()).toBeLessThan(20);
});

it("a watch that is open counts as following, though nothing happens", async () => {
  await outage(minutes(10));
  watches = () => undefined;
  expect(agent.state().unwatched).toContain("Agent");
  await wall.advance(minutes(1));
  expect(agent.state().unwatched).toEqual([]);
  expect(news).toEqual([]);
});

/** A watch that says this much, and then nothing until it is given up. */
function stalling({ signal }: Request, ...events: object[]): Response {
  const start = (stream: ReadableStreamDefaultController) => {
    for (const event of events) stream.enqueue(new TextEncoder().encode(lineOf(event)));
    signal.addEventListener("abort", () => stream.error(signal.reason));
  };
  return new Response(new ReadableStream({ start }));
}
const hanging = ({ signal }: Request) =>
  new Promise<Response>((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason)),
  );
const lineOf = (event: object) => `${JSON.stringify(event)}\n`;
const bookmark = (resourceVersion: string) => ({
  type: "BOOKMARK",
  object: { kind: "Agent", metadata: { resourceVersion } },
});

it("a watch that the server forgets is given up half a minute after it should have ended", async () => {
  const asked: number[] = [];
  let lasts = 0;
  watches = (request) => {
    asked.push(wall.now());
    lasts = seconds(Number(new URL(request.url).searchParams.get("timeoutSeconds")));
    return stalling(request, bookmark("2"));
  };
  start();
  await wall.advance(0);
  expect(asked).toHaveLength(1);
  expect(lasts).toBe(minutes(4));
  await wall.advance(lasts + seconds(30) - 1);
  expect(asked).toHaveLength(1);
  await wall.advance(seconds(2));
  expect(asked).toHaveLength(2);
  expect(lists()).toBe(1);
  expect(agent.state().unwatched).toEqual([]);
});

it("a list that does not answer is given up after 20 s, and asked for again", async () => {
  hub.intercept = (request) => (isOf(request, "limit=") ? hanging(request) : undefined);
  start();
  await wall.advance(seconds(20) - 1);
  expect(lists()).toBe(1);
  await wall.advance(seconds(2));
  expect(lists()).toBe(2);
  hub.intercept = () => undefined;
  await wall.advance(seconds(30));
  expect(agent.state().unwatched).toEqual([]);
});

it("a watch goes on from the last that the one before has told, a bookmark or a change", async () => {
  const from: (string | null)[] = [];
  const change = {
    type: "MODIFIED",
    object: {
      apiVersion: "agent-install.openshift.io/v1beta1",
      kind: "Agent",
      metadata: { name: "a", namespace: "n", uid: "u", resourceVersion: "4800" },
    },
  };
  const tellings = [[bookmark("4711")], [change, bookmark("4900")], [bookmark("5000"), change]];
  watches = (request) => {
    const { searchParams } = new URL(request.url);
    expect(searchParams.get("allowWatchBookmarks")).toBe("true");
    from.push(searchParams.get("resourceVersion"));
    const told = tellings[from.length - 1];
    return told ? new Response(told.map(lineOf).join("")) : stalling(request);
  };
  start();
  await wall.advance(minutes(2));
  expect(from.slice(1)).toEqual(["4711", "4900", "4800"]);
  expect(lists()).toBe(1);
});

it("a kind whose watches failed is followed again once a watch has stayed open for 5 s", async () => {
  await outage(minutes(10));
  let isOpen = false;
  watches = (request) => {
    isOpen = true;
    return stalling(request);
  };
  while (!isOpen) await wall.advance(100);
  await wall.advance(seconds(4));
  expect(agent.state().unwatched).toContain("Agent");
  await wall.advance(seconds(2));
  expect(agent.state().unwatched).not.toContain("Agent");
});

it("a watch that hears nothing, as of a hub that was restored, is healed by a list", async () => {
  watches = (request) => stalling(request);
  start();
  await wall.advance(seconds(10));
  hub.createAgent("agent-1");
  await wall.advance(minutes(10));
  expect(told()).toEqual([]);
  await wall.advance(hours(1));
  expect(told()).toEqual(["agent-1"]);
  expect(lists()).toBe(2);
});

describe("heartbeats", () => {
  const last = () => heartbeats.at(-1)?.unwatched;

  it("name a kind that the agent may not watch, and why, until it may", async () => {
    const role = 'slipway-hub-agent cannot list resource "agents" in API group';
    const message = `agents is forbidden: User "${role} "agent-install.openshift.io" at the cluster scope`;
    const forbidden = { kind: "Status", code: 403, reason: "Forbidden", message };
    let isForbidden = true;
    hub.intercept = (request) =>
      isForbidden && isOf(request, "") ? Response.json(forbidden, { status: 403 }) : undefined;
    start();
    await wall.advance(minutes(5));
    expect(last()).toEqual([
      { kind: "Agent", error: expect.stringMatching(/cannot list resource "agents"/) },
    ]);
    isForbidden = false;
    await wall.advance(minutes(2));
    expect(last()).toBeUndefined();
  });

  it("say nothing of a hub that is back within a minute or so", async () => {
    await outage(seconds(70));
    watches = () => undefined;
    await wall.advance(minutes(5));
    expect(heartbeats.length).toBeGreaterThan(4);
    expect(heartbeats.flatMap(({ unwatched = [] }) => unwatched)).toEqual([]);
  });
});
