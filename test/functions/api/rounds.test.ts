import { beforeEach, describe, expect, it } from "vitest";
import { relay } from "../../../core/feedback/relay.ts";
import { createApp } from "../../../functions/api/app.ts";
import { sagas } from "../../../statemachines/index.ts";
import { type Api, catalogApi, order, people, priv, pullSecret, v1 } from "../../support/api.ts";
import { inRounds, type Round } from "../../support/rounds.ts";

/** How often a request waits for the table: of what is asked for together, it waits once. */

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
  await api.ask("ann", "POST", `${v1}/clusters`, order("first"));
});

interface Asked {
  status: number;
  body: { id?: string; items?: { id: string }[] };
  rounds: Round[];
}

async function ask(
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Asked> {
  const { rounds, store, secrets } = inRounds(api.deps);
  const principal = () => people.ann;
  const app = createApp({ ...api.deps, store, secrets }, { profile: "slipway", principal });
  const answer = await app.request(path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = text.startsWith("{") && !text.includes("\n");
  return { status: answer.status, body: isJson ? JSON.parse(text) : {}, rounds };
}

/** Keys that were asked for more than once. */
function readTwice(rounds: Round[]): string[] {
  const keys = rounds
    .flat()
    .flatMap((call) => /^get(?:Many)? (.*)/.exec(call)?.[1]?.split(" ") ?? []);
  return keys.filter((key, n) => keys.indexOf(key) !== n);
}

const firstCluster = async (): Promise<string> =>
  (await api.ask("ann", "GET", `${v1}/clusters`)).body.items[0].id;

describe("a request waits for the table", () => {
  it("twice to read a cluster with what its operation waits for", async () => {
    const { status, rounds } = await ask("GET", `${v1}/clusters/${await firstCluster()}`);
    expect(status).toBe(200);
    expect(rounds).toHaveLength(2);
  });

  it("once to read what has no operation", async () => {
    const { status, rounds } = await ask("GET", `${v1}/cluster_templates/ocp_small`);
    expect(status).toBe(200);
    expect(rounds).toHaveLength(1);
  });

  it("three times for a page of clusters", async () => {
    const { body, rounds } = await ask("GET", `${v1}/clusters`);
    expect(body.items).toHaveLength(1);
    expect(rounds).toHaveLength(3);
  });

  it("once for each look of a watch into the logs that it follows", async () => {
    const told = api.deps.store.stream(undefined, 10_000);
    for (const record of told) await relay(api.deps, sagas, record);
    const { status, rounds } = await ask("GET", "/api/events/v1/events?last_event_id=0");
    expect(status).toBe(200);
    const looks = rounds.filter((round) => round.some((call) => call.startsWith("query log#")));
    expect(looks).toEqual([["query log#tenant-a", "query log#shared"]]);
  });

  it("twice to change a label, the write included", async () => {
    const change = { metadata: { labels: { a: "b" } } };
    const path = `${v1}/clusters/${await firstCluster()}`;
    const { status, rounds } = await ask("PATCH", path, change);
    expect(status).toBe(200);
    expect(rounds).toHaveLength(2);
    expect(rounds[1]).toEqual([expect.stringMatching(/^transact /)]);
  });

  it("three times to delete a cluster, the write included", async () => {
    const { status, rounds } = await ask("DELETE", `${v1}/clusters/${await firstCluster()}`);
    expect(status).toBe(200);
    expect(rounds).toHaveLength(3);
  });

  it.each([
    ["by the template's name", {}, {}],
    ["by ids", { template: "ocp_small", version: { id: "4-17-0" } }, {}],
    [
      "in a project, with node sets of its own",
      { node_sets: { gpu: { host_type: { name: "large" }, size: 3 } } },
      { project: "shop" },
    ],
  ])("four times to order a cluster %s, the write included", async (_, spec, metadata) => {
    await api.ask("amy", "POST", `${v1}/projects`, { metadata: { name: "shop" } });
    const once = { "Idempotency-Key": "k" };
    const body = order("second", spec, metadata);
    const { status, body: cluster, rounds } = await ask("POST", `${v1}/clusters`, body, once);
    expect(status).toBe(200);
    expect(rounds).toHaveLength(4);
    expect(rounds[3]).toEqual([expect.stringMatching(/^transact /)]);
    expect(readTwice(rounds)).toEqual([]);
    const again = await ask("POST", `${v1}/clusters`, body, once);
    expect(again.body.id).toBe(cluster.id);
    expect(again.rounds).toHaveLength(2);
  });

  it("once more to order a cluster with a pull secret of its own, which is kept before it is ordered", async () => {
    const pull_secret = pullSecret("p");
    const { status, rounds } = await ask("POST", `${v1}/clusters`, order("own", { pull_secret }));
    expect(status).toBe(200);
    expect(rounds).toHaveLength(5);
    expect(rounds[3]).toEqual([expect.stringMatching(/^put secret /)]);
  });

  it("no more often to refuse an order than to accept it", async () => {
    const wrong = order("wrong", { template: { name: "none" } });
    const { status, rounds } = await ask("POST", `${v1}/clusters`, wrong);
    expect(status).toBe(400);
    expect(rounds.length).toBeLessThanOrEqual(4);
  });

  it("and reads nothing twice", async () => {
    const path = `${v1}/clusters/${await firstCluster()}`;
    const change = { metadata: { labels: { a: "b" } } };
    for (const [method, body] of [["GET"], ["PATCH", change], ["DELETE"]] as const) {
      const { rounds } = await ask(method, path, body);
      expect(readTwice(rounds), method).toEqual([]);
    }
  });

  it("for nothing of what somebody may not", async () => {
    const { rounds, store } = inRounds(api.deps);
    const app = createApp(
      { ...api.deps, store },
      { profile: "slipway", principal: () => people.mia },
    );
    expect((await app.request(`${priv}/clusters/x`)).status).toBe(403);
    expect(rounds).toEqual([["get user-of#tenant-a#mia"], ["query member#tenant-a#mia"]]);
  });
});
