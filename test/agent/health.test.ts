import { mkdirSync, rmSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { type AgentState, type HubAgent, startAgent } from "../../agent/agent.ts";
import { type AgentHealth, serveHealth } from "../../agent/health.ts";
import { Journal } from "../../agent/journal.ts";
import { minutes } from "../../core/clock.ts";
import { silent } from "../../core/log.ts";
import { eventually } from "../support/eventually.ts";
import { temporaryFolder } from "../support/home.ts";
import { TestHub } from "../support/hub-api.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

/** What the kubelet is told. */

let health: AgentHealth | undefined;
let agent: HubAgent | undefined;
afterEach(async () => {
  await agent?.stop();
  await health?.close();
  agent = undefined;
  health = undefined;
});

async function asked(state: () => AgentState) {
  health = await serveHealth(state, { port: 0, host: "127.0.0.1" });
  const { port } = health;
  return async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: answer.status, body: await answer.json() };
  };
}

const well: AgentState = { unwatched: [], waiting: 0, is_heard: true, is_durable: true };

describe("/readyz", () => {
  it.each<[string, Partial<AgentState>, number]>([
    ["follows, is heard, and keeps its reports on disk", {}, 200],
    ["has reports that wait", { waiting: 7 }, 200],
    ["does not follow a kind", { unwatched: ["NodePool"] }, 503],
    ["is not heard", { is_heard: false }, 503],
    ["cannot write its reports to disk", { is_durable: false }, 503],
  ])("of an agent that %s", async (_, members, status) => {
    const state = { ...well, ...members };
    const get = await asked(() => state);
    expect(await get("/readyz")).toEqual({ status, body: state });
    // A restart would mend none of it.
    expect(await get("/healthz")).toEqual({ status: 200, body: state });
    expect(await get("/metrics")).toEqual({ status: 404, body: {} });
  });

  it("fails while the agent's journal cannot be written, and no longer", async () => {
    const folder = `${temporaryFolder()}/queue`;
    const hub = new TestHub();
    const wall = new VirtualClock();
    // A limit that makes each report write the whole file anew.
    const journal = new Journal({ folder, limit: 1, log: silent });
    // Home is slow, so reports wait.
    const home = Promise.withResolvers<void>();
    agent = startAgent({
      connection: { server: "https://hub.example.com", token: "the-token" },
      fetch: async (input, init) => hub.fetch(new Request(input, init)),
      report: ({ news }) => (news.length > 0 ? home.promise : Promise.resolve()),
      journal,
      ...{ clock: wall, wall, log: silent, heartbeatEvery: minutes(1), random: () => 1 },
    });
    const { state } = agent;
    await wall.advance(0);
    const get = await asked(state);
    await wall.advance(minutes(1));
    expect((await get("/readyz")).status).toBe(200);

    rmSync(folder, { recursive: true });
    hub.createAgent("agent-1");
    await eventually(() => expect(state().is_durable).toBe(false));
    expect((await get("/readyz")).status).toBe(503);

    mkdirSync(folder);
    hub.createAgent("agent-2");
    await eventually(() => expect(state().is_durable).toBe(true));
    expect((await get("/readyz")).status).toBe(200);
    home.resolve();
    await agent.stop();
    journal.close();
  });
});
