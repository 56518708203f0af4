import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { News } from "../../../../../core/ports/hub/news.ts";
import type { Order } from "../../../../support/deployment.ts";
import { failureOf } from "../../../../support/failure.ts";
import { type HubFixture, hubFaults } from "../fixture.ts";

/** What every adapter of the port of agents does. */
export function agentsContract(open: () => Promise<HubFixture>): void {
  let at: HubFixture;
  let owner: Order;
  let mine: string;
  let spare: string;
  beforeEach(async () => {
    at = await open();
    owner = at.order(2);
    [mine = "", spare = ""] = owner.nodeSets[0]?.agents ?? [];
  });
  afterEach(() => at.close());

  const reserve = (of = owner, agent = mine, set = "workers") =>
    at.run(at.hub.agents.reserve(of, agent, set));
  const release = (of: Pick<Order, "kind" | "id"> = owner, agent = mine) =>
    at.run(at.hub.agents.release(of, agent));
  const failure = (call: Promise<unknown>) => failureOf(at.run(call));
  const news = async (): Promise<Map<string, News>> => {
    const all = await at.run(at.hub.agents.readAll());
    return new Map(all.map((each) => [each.object.metadata.name, each]));
  };

  it("tells of every agent of the hub, whoever has it", async () => {
    const before = await news();
    expect(before.has(mine)).toBe(true);
    await reserve();
    const after = await news();
    expect([...after.keys()]).toEqual([...before.keys()]);
    expect(after.get(mine)?.object.metadata.labels).toMatchObject({
      "slipway.dev/cluster": owner.id,
      "slipway.dev/node-set": "workers",
    });
    expect(after.get(spare)).toEqual(before.get(spare));
    expect([...after.values()].every(({ kind, deleted }) => kind === "Agent" && !deleted)).toBe(
      true,
    );
  });

  describe("an agent that an owner takes", () => {
    it("is labelled for one of the owner's sets and approved, and no other is touched", async () => {
      const others = at.agent.labels(spare);
      at.agent.label(mine, { "inventory/rack": "r1" });
      await reserve();
      expect(at.agent.labels(mine)).toMatchObject({
        "slipway.dev/cluster": owner.id,
        "slipway.dev/node-set": "workers",
        "inventory/rack": "r1",
      });
      expect(at.agent.isApproved(mine)).toBe(true);
      expect(at.agent.labels(spare)).toEqual(others);
    });

    it("is the same when it is taken again", async () => {
      await reserve();
      const before = (await news()).get(mine);
      await reserve();
      expect((await news()).get(mine)).toEqual(before);
    });

    it("may be bound to the owner's own cluster already", async () => {
      await reserve();
      at.agent.bind(mine, owner.name);
      await reserve();
      expect(at.agent.labels(mine)).toMatchObject({ "slipway.dev/cluster": owner.id });
    });

    it("goes over to another of the owner's sets", async () => {
      await reserve();
      await reserve(owner, mine, "gpu");
      expect(at.agent.labels(mine)).toMatchObject({ "slipway.dev/node-set": "gpu" });
    });

    it("that does not exist is refused by name", async () => {
      const error = await failure(at.hub.agents.reserve(owner, "ghost", "workers"));
      expect(error).toMatchObject({
        kind: "Rejected",
        message: expect.stringContaining("ghost"),
      });
    });

    it.each<[string, (name: string) => unknown]>([
      ["labelled for another owner", (name) => at.agent.label(name, marks.another)],
      ["labelled for an owner of another kind", (name) => at.agent.label(name, marks.otherKind)],
      ["bound to another cluster", (name) => at.agent.bind(name, "klmnopqrst")],
    ])("that is %s is refused and left alone", async (_, take) => {
      await take(mine);
      const before = (await news()).get(mine);
      const error = await failure(at.hub.agents.reserve(owner, mine, "workers"));
      expect(error).toMatchObject({ kind: "Rejected", message: expect.stringContaining(mine) });
      expect((await news()).get(mine)).toEqual(before);
      expect(at.agent.isApproved(mine)).toBe(false);
    });
  });

  describe("an agent that an owner gives back", () => {
    it("loses our labels and nothing else", async () => {
      const before = at.agent.labels(mine);
      await reserve();
      at.agent.label(mine, { "inventory/rack": "r1" });
      await release();
      expect(at.agent.labels(mine)).toEqual({ ...before, "inventory/rack": "r1" });
      expect(at.agent.isApproved(mine)).toBe(true);
    });

    it("may be given back again, or be gone, or never have been the owner's", async () => {
      await reserve();
      await release();
      const before = at.ledger();
      await release();
      await release(owner, "ghost");
      await release(owner, spare);
      expect(at.ledger()).toEqual(before);
    });

    it.each([
      ["another owner's by now", { kind: "cluster", id: "another" }],
      ["an owner's of another kind", { kind: "machine", id: "" }],
    ])("that is %s keeps its labels", async (_, { kind, id }) => {
      await reserve();
      const before = (await news()).get(mine);
      await release({ kind, id: id || owner.id });
      expect((await news()).get(mine)).toEqual(before);
    });

    it("that is still bound keeps them: Unavailable", async () => {
      await reserve();
      at.agent.bind(mine, owner.name);
      const before = (await news()).get(mine);
      expect(await failure(at.hub.agents.release(owner, mine))).toMatchObject({
        kind: "Unavailable",
      });
      expect((await news()).get(mine)).toEqual(before);
      at.agent.bind(mine);
      await release();
      expect(at.agent.labels(mine)).not.toHaveProperty(["slipway.dev/cluster"]);
    });
  });

  describe("on a bad day", () => {
    it.each(hubFaults)(
      "it says so when it meets %j: %s, and goes on later",
      async (fault, kind) => {
        at.faults.add({ target: "hub", operation: "PATCH /", ...fault });
        expect(await failure(at.hub.agents.reserve(owner, mine, "workers"))).toMatchObject({
          kind,
        });
        at.faults.clear();
        await reserve();
        expect(at.agent.labels(mine)).toMatchObject({ "slipway.dev/cluster": owner.id });
        at.faults.add({ target: "hub", operation: "PATCH /", ...fault });
        expect(await failure(at.hub.agents.release(owner, mine))).toMatchObject({ kind });
        at.faults.clear();
        await release();
        expect(at.agent.labels(mine)).not.toHaveProperty(["slipway.dev/cluster"]);
      },
    );

    it("a write that collides with another's is made again, and so is an answer that is slow", async () => {
      at.faults.add({ target: "hub", operation: "PATCH /", fault: "conflict", count: 2 });
      at.faults.add({ target: "hub", fault: "slow" });
      await reserve();
      expect(at.agent.labels(mine)).toMatchObject({ "slipway.dev/cluster": owner.id });
    });

    it("waits while its credentials are not accepted", async () => {
      const { agents } = at.stranger;
      const asked = [
        await failure(agents.readAll()),
        await failure(agents.reserve(owner, mine, "workers")),
        await failure(agents.release(owner, mine)),
      ];
      expect(asked.map(({ kind }) => kind)).toEqual(["Unavailable", "Unavailable", "Unavailable"]);
    });
  });
}

const marks = {
  another: { "slipway.dev/cluster": "another" },
  otherKind: { "slipway.dev/machine": "another" },
};
