import { beforeEach, describe, expect, it } from "vitest";
import { logPartitions } from "../../../core/kernel/object/log-keys.ts";
import { relay } from "../../../core/kernel/relay/relay.ts";
import { sagas } from "../../../statemachines/index.ts";
import { type Api, catalogApi, order, people, priv, v1 } from "../../support/api.ts";
import { askInRounds, readTwice } from "../../support/asked-in-rounds.ts";

/** How often a request waits for the table: of what is asked for together, it waits once. */

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
  await api.ask("ann", "POST", `${v1}/clusters`, order("first"));
});

const firstCluster = async (): Promise<string> =>
  (await api.ask("ann", "GET", `${v1}/clusters`)).body.items[0].id;

describe("a request waits for the table", () => {
  it("once for each look of a watch into the logs that it follows", async () => {
    const told = api.deps.store.stream(undefined, 10_000);
    for (const record of told) await relay(api.deps, sagas, record);
    const { status, rounds } = await askInRounds(
      api,
      "GET",
      "/api/events/v1/events?last_event_id=0",
    );
    expect(status).toBe(200);
    const looks = rounds.filter((round) => round.some((call) => call.startsWith("query log#")));
    const shards = ["tenant-a", "shared"].flatMap(logPartitions);
    expect(looks).toEqual([shards.map((shard) => `query ${shard}`)]);
  });

  it("twice to change a label, the write included", async () => {
    const change = { metadata: { labels: { a: "b" } } };
    const path = `${v1}/clusters/${await firstCluster()}`;
    const { status, rounds } = await askInRounds(api, "PATCH", path, { body: change });
    expect(status).toBe(200);
    expect(rounds).toHaveLength(2);
    expect(rounds[1]).toEqual([expect.stringMatching(/^transact /)]);
  });

  it("three times to delete a cluster, the write included", async () => {
    const { status, rounds } = await askInRounds(
      api,
      "DELETE",
      `${v1}/clusters/${await firstCluster()}`,
    );
    expect(status).toBe(200);
    expect(rounds).toHaveLength(3);
  });

  it("and reads nothing twice", async () => {
    const path = `${v1}/clusters/${await firstCluster()}`;
    const change = { metadata: { labels: { a: "b" } } };
    for (const [method, body] of [["GET"], ["PATCH", change], ["DELETE"]] as const) {
      const { rounds } = await askInRounds(api, method, path, { body });
      expect(readTwice(rounds), method).toEqual([]);
    }
  });

  it("once, together with what comes next, for the roles that bindings and memberships give", async () => {
    const { status, rounds } = await askInRounds(api, "GET", `${priv}/clusters/x`, {
      who: people.mia,
    });
    expect(status).toBe(403);
    expect(rounds).toEqual([
      ["query member#tenant-a#mia", "getMany user-of#tenant-a#mia cluster#x"],
    ]);
  });

  it("for nothing of what nobody of a tenant may", async () => {
    const path = `${priv}/clusters/x`;
    const { status, rounds } = await askInRounds(api, "DELETE", path, { who: people.ann });
    expect(status).toBe(403);
    const [first, ...audited] = rounds;
    expect(first).toEqual([
      expect.stringMatching(/^getMany audithead#tenant-a#\d+ user-of#tenant-a#ann$/),
    ]);
    expect(audited).toEqual([["transact 2"]]);
  });
});
