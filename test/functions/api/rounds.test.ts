import { beforeEach, describe, expect, it } from "vitest";
import { createApp } from "../../../functions/api/app.ts";
import { type Api, catalogApi, order, people, priv, v1 } from "../../support/api.ts";
import { inRounds, type Round } from "../../support/rounds.ts";

/** How often a request waits for the table: of what is asked for together, it waits once. */

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
  await api.ask("ann", "POST", `${v1}/clusters`, order("first"));
});

interface Asked {
  status: number;
  body: { id: string; items?: { id: string }[] };
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
  return { status: answer.status, body: JSON.parse((await answer.text()) || "{}"), rounds };
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

  it("and reads nothing twice", async () => {
    const path = `${v1}/clusters/${await firstCluster()}`;
    const change = { metadata: { labels: { a: "b" } } };
    for (const [method, body] of [["GET"], ["PATCH", change], ["DELETE"]] as const) {
      const { rounds } = await ask(method, path, body);
      const keys = rounds.flat().flatMap((call) => call.split(" ").slice(1));
      expect(keys.length, method).toBe(new Set(keys).size);
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
