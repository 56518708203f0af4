import { afterEach, beforeEach, expect, it } from "vitest";
import { type HubAgent, startAgent } from "../../agent/agent.ts";
import { systemClock } from "../../core/clock.ts";
import { silent } from "../../core/log.ts";
import { KubernetesHub } from "../../core/ports/hub/kubernetes-hub.ts";
import type { Message, News } from "../../core/ports/hub/news.ts";
import { agentNamespace } from "../../core/ports/hub/reported-kinds.ts";
import packaged from "../../package.json" with { type: "json" };
import { deployment } from "../support/deployment.ts";
import { eventually } from "../support/eventually.ts";
import { serveHub, TestHub } from "../support/hub-api.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

let hub: TestHub;
let server: Awaited<ReturnType<typeof serveHub>>;
let agent: HubAgent | undefined;
let clock: VirtualClock;
let news: News[];
let heartbeats: number;

beforeEach(async () => {
  hub = new TestHub();
  server = await serveHub(hub.fetch);
  clock = new VirtualClock();
  news = [];
  heartbeats = 0;
});

afterEach(async () => {
  await agent?.stop();
  await server.close();
});

const take = async (message: Message) => {
  news.push(...message.news);
  if (message.heartbeat) heartbeats += 1;
  expect(message.agent_version).toBe(message.heartbeat ? packaged.version : undefined);
};

/** Its pauses are real but short: random is 0 and the tests cause few failures in a row. */
function start(report = take): void {
  const { connection } = server;
  const random = () => 0;
  agent = startAgent({
    connection,
    report,
    clock,
    wall: systemClock,
    log: silent,
    heartbeatEvery: 60_000,
    // The clock stands still.
    apart: 0,
    random,
  });
}

const line = ({ kind, deleted, object }: News) =>
  `${deleted ? "-" : "+"}${kind} ${object.metadata.name}`;
const lines = () => news.map(line);
const watches = () => hub.requests.filter(({ url }) => url.includes("watch=true"));
const watching = (count = 3) =>
  eventually(() => expect(watches().length).toBeGreaterThanOrEqual(count));
const remove = (name: string) => hub.cluster.delete("Agent", agentNamespace, name);

it("reports what is there, then every change, over TLS", async () => {
  hub.createAgent("agent-1");
  start();
  await eventually(() => expect(lines()).toEqual(["+Agent agent-1"]));
  await watching();

  const client = new KubernetesHub({ connection: server.connection, wall: systemClock });
  await client.clusters.ensureControlPlane(deployment());
  await eventually(() => expect(lines()).toContain("+HostedCluster abcdefghij"));
  hub.createAgent("agent-2");
  remove("agent-1");
  await eventually(() => expect(lines().slice(-2)).toEqual(["+Agent agent-2", "-Agent agent-1"]));
  await client.clusters.removeHostedCluster(deployment());
  await eventually(() => expect(lines()).toContain("-HostedCluster abcdefghij"));
  expect(JSON.stringify(news)).not.toContain("managedFields");
  await client.close();
});

it("keeps to itself what means the same as before", async () => {
  hub.createAgent("agent-1");
  start();
  await watching();
  const known = hub.agent("agent-1");
  if (!known) throw new Error("there is no agent-1");
  const { metadata } = known;
  hub.cluster.update({ ...known, metadata: { ...metadata, annotations: { touched: "yes" } } });
  expect(hub.agent("agent-1")?.metadata.resourceVersion).not.toBe(metadata.resourceVersion);
  hub.createAgent("agent-2");
  await eventually(() => expect(lines()).toEqual(["+Agent agent-1", "+Agent agent-2"]));
});

it("sees nothing of hosted clusters that are not Slipway's", async () => {
  start();
  await watching();
  expect(
    watches()
      .map(({ url }) => new URL(url).searchParams.get("labelSelector"))
      .toSorted(),
  ).toEqual([null, "slipway.dev/cluster", "slipway.dev/cluster"]);
});

it("lists again when its version is forgotten, and tells what vanished meanwhile", async () => {
  for (const name of ["stays", "goes", "again"]) hub.createAgent(name);
  let severed = false;
  hub.intercept = ({ url }) => {
    if (!url.includes("/agents?") || !url.includes("watch=true") || severed) return undefined;
    severed = true;
    // While nobody watches:
    remove("goes");
    remove("again");
    hub.createAgent("again");
    const gone = { kind: "Status", code: 410, reason: "Expired", message: "too old" };
    return new Response(`${JSON.stringify({ type: "ERROR", object: gone })}\n`);
  };
  start();
  await eventually(() => expect(lines()).toContain("-Agent goes"));
  expect(lines().slice(3)).toEqual(["-Agent again", "+Agent again", "-Agent goes"]);
  const versions = news.map(({ object }) => Number(object.metadata.resourceVersion));
  const again = news.filter(({ object }) => object.metadata.name === "again");
  expect(new Set(again.map(({ object }) => object.metadata.uid)).size).toBe(2);
  // Later than all that was known of it, so that no observer takes it for old.
  expect(versions.at(-1)).toBeGreaterThanOrEqual(Math.max(...versions));
});

it.each([410, 429, 500])("a watch that is refused with %i is tried again", async (status) => {
  let refused = false;
  hub.intercept = ({ url }) => {
    if (!url.includes("/agents?") || !url.includes("watch=true") || refused) return undefined;
    refused = true;
    return Response.json({ kind: "Status", code: status }, { status });
  };
  start();
  await watching(4);
  hub.createAgent("late");
  await eventually(() => expect(lines()).toEqual(["+Agent late"]));
});

it("resumes a watch that was cut where it was, and tells nothing twice", async () => {
  hub.createAgent("agent-1");
  let cuts = 0;
  hub.intercept = ({ url }) => {
    if (!url.includes("/agents?") || !url.includes("watch=true") || cuts > 0) return undefined;
    cuts += 1;
    hub.createAgent("agent-2");
    return new Response("");
  };
  start();
  await eventually(() => expect(lines()).toEqual(["+Agent agent-1", "+Agent agent-2"]));
  expect(hub.requests.filter(({ url }) => url.includes("/agents?limit"))).toHaveLength(1);
});

it("a report that fails loses nothing", async () => {
  let failures = 0;
  start(async (message) => {
    if (failures < 2) {
      failures += 1;
      throw new Error("the bus is down");
    }
    await take(message);
  });
  hub.createAgent("agent-1");
  hub.createAgent("agent-2");
  await eventually(() => expect(lines().toSorted()).toEqual(["+Agent agent-1", "+Agent agent-2"]));
});

it("a hub that is unreachable is followed again when it is back", async () => {
  let down = true;
  hub.intercept = () => (down ? new Response("no", { status: 503 }) : undefined);
  start();
  await eventually(() => expect(hub.requests.length).toBeGreaterThan(3));
  hub.createAgent("agent-1");
  down = false;
  await eventually(() => expect(lines()).toEqual(["+Agent agent-1"]));
});

it("says regularly that it lives, on the deployment's clock", async () => {
  start();
  await eventually(() => expect(heartbeats).toBe(1));
  await clock.advance(60_000);
  await eventually(() => expect(heartbeats).toBe(2));
  await clock.advance(60_000);
  await eventually(() => expect(heartbeats).toBe(3));
});

it("after stop nothing is reported and nothing is asked", async () => {
  start();
  await watching();
  await agent?.stop();
  const { length } = hub.requests;
  hub.createAgent("late");
  await clock.advance(120_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(lines()).toEqual([]);
  expect(hub.requests).toHaveLength(length);
});
