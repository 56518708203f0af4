import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { News } from "../../core/ports/hub/news.ts";
import { agentNamespace } from "../../core/ports/hub/reported-kinds.ts";
import { agentPlace, runAgent } from "../support/agent-process.ts";
import { eventually } from "../support/eventually.ts";
import { type Home, openHome } from "../support/home.ts";
import { serveHub, TestHub } from "../support/hub-api.ts";

/** The hub agent as a process, between a simulated hub and a real API on a socket. */

let hub: TestHub;
let server: Awaited<ReturnType<typeof serveHub>>;
let home: Home;

beforeEach(async () => {
  hub = new TestHub();
  server = await serveHub(hub.fetch);
  home = await openHome("hub-a", "hub-b");
});
afterEach(() => server.close());

const placeFor = async (hubOfToken = "hub-a") =>
  agentPlace({
    hub: "hub-a",
    home: home.url,
    token: await home.token(hubOfToken),
    kubeconfig: server.kubeconfig,
  });

const line = ({ deleted, object }: News) => `${deleted ? "-" : "+"}${object.metadata.name}`;
const label = (name: string, value: string) => {
  const agent = hub.agent(name);
  hub.cluster.update({ ...agent, metadata: { ...agent?.metadata, labels: { value } } } as never);
};
const remove = (name: string) => hub.cluster.delete("Agent", agentNamespace, name);
const down = () => Response.json({}, { status: 503 });

/** Versions of one object in the order in which home heard of them. */
const versionsOf = (name: string) =>
  home
    .news()
    .filter(({ object }) => object.metadata.name === name)
    .map(({ object }) => Number(object.metadata.resourceVersion));

it("reports news and its heartbeat home, and is ready then", async () => {
  hub.createAgent("host-1");
  const place = await placeFor();
  const { health } = await place.start();
  await eventually(() => expect(home.news().map(line)).toEqual(["+host-1"]));
  expect(home.reported.every((report) => report.hub === "hub-a")).toBe(true);
  expect(home.reported.some(({ heartbeat }) => heartbeat)).toBe(true);
  await eventually(async () => {
    const state = { unwatched: [], waiting: 0, is_heard: true, is_durable: true };
    expect(await health("/readyz")).toEqual({ status: 200, body: state });
  });
  expect((await health("/healthz")).status).toBe(200);
  expect((await health("/secrets")).status).toBe(404);
  await eventually(() => expect(readFileSync(place.queue, "utf8")).toBe(""));
});

it("keeps through an outage and kill -9 what it saw, each object's news in its order", async () => {
  const place = await placeFor();
  const first = await place.start();
  for (const name of ["stays", "goes"]) hub.createAgent(name);
  await eventually(() => expect(home.news().map(line).toSorted()).toEqual(["+goes", "+stays"]));

  home.intercept = down;
  label("stays", "one");
  label("goes", "one");
  remove("goes");
  hub.createAgent("comes");
  await eventually(async () => {
    expect((await first.health("/readyz")).body).toMatchObject({ is_heard: false });
    expect(readFileSync(place.queue, "utf8")).toContain('"comes"');
  });
  expect((await first.health("/healthz")).status).toBe(200);
  await first.kill9();

  label("stays", "two");
  remove("comes");
  home.intercept = () => undefined;
  await place.start();
  // Nobody but the queue knows of what is gone.
  const last = Number(hub.agent("stays")?.metadata.resourceVersion);
  await eventually(() => {
    expect(home.news().map(line)).toEqual(expect.arrayContaining(["-goes", "+comes"]));
    expect(versionsOf("stays").at(-1)).toBe(last);
  });
  for (const name of ["stays", "goes", "comes"]) {
    expect(versionsOf(name)).toEqual(versionsOf(name).toSorted((a, b) => a - b));
  }
  expect(home.news().filter((news) => line(news) === "-goes")).toHaveLength(1);
});

it("gives what waits a last chance on SIGTERM, and ends with 0", async () => {
  const place = await placeFor();
  const { child, exit, health } = await place.start();
  await eventually(() => expect(home.reported).not.toHaveLength(0));
  home.intercept = down;
  hub.createAgent("host-1");
  await eventually(async () => {
    expect((await health("/readyz")).body).toMatchObject({ is_heard: false });
  });
  home.intercept = () => undefined;
  child.kill("SIGTERM");
  expect(await exit).toMatchObject({ code: 0, stderr: "" });
  expect(home.news().map(line)).toEqual(["+host-1"]);
});

it("ends on SIGTERM although home is unreachable, and keeps what waits", async () => {
  const place = await placeFor();
  home.intercept = down;
  hub.createAgent("host-1");
  const first = await place.start();
  await eventually(() => expect(readFileSync(place.queue, "utf8")).toContain('"host-1"'));
  first.child.kill("SIGTERM");
  expect((await first.exit).code).toBe(0);
  remove("host-1");
  home.intercept = () => undefined;
  await place.start();
  await eventually(() => expect(home.news().map(line)).toEqual(["+host-1"]));
});

it("is not heard with another hub's token, and loses nothing until it has its own", async () => {
  const place = await placeFor("hub-b");
  hub.createAgent("host-1");
  const agent = await place.start();
  await eventually(async () => {
    expect(await agent.health("/readyz")).toMatchObject({ status: 503, body: { is_heard: false } });
  });
  const words = "Slipway knows no such hub, or the token is another hub's";
  await eventually(() => expect(agent.output()).toContain(words));
  expect(home.reported).toEqual([]);
  place.setToken(await home.token("hub-a"));
  await eventually(() => expect(home.news().map(line)).toEqual(["+host-1"]));
  const secrets = [await home.token("hub-a"), await home.token("hub-b"), "the-token"];
  for (const secret of secrets) expect(agent.output()).not.toContain(secret);
});

it.each([
  ["SLIPWAY_HUB", "", "is required: the id of this hub"],
  ["SLIPWAY_TOKEN_FILE", "/nowhere/token", "cannot be used: Error: ENOENT"],
  ["KUBECONFIG", "/dev/null", "cannot be used: Invalid: the kubeconfig cannot be used"],
  ["SLIPWAY_QUEUE", "/dev/null/queue", "cannot be used: Error: ENOTDIR"],
])("does not start with %s=%s, and says why", async (name, value, words) => {
  const { environment } = await placeFor();
  const { code, stderr } = await runAgent({ ...environment, [name]: value }).exit;
  expect(code).toBe(1);
  expect(stderr.trim().split("\n")).toEqual([expect.stringContaining(`${name} ${words}`)]);
});
