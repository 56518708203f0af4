import { afterEach, beforeEach, expect, it } from "vitest";
import type { HubReports } from "../../../../core/ports/hub/hub.ts";
import { agentNamespace } from "../../../../core/ports/hub/reported-kinds.ts";
import { type Order, ownerIn } from "../../../support/deployment.ts";
import { failureOf } from "../../../support/failure.ts";
import type { HubFixture } from "./fixture.ts";

/** What every hub does, whatever else it can do. */
export function hubContract(open: () => Promise<HubFixture>): void {
  let at: HubFixture;
  let order: Order;
  let agents: string[];
  beforeEach(async () => {
    at = await open();
    order = at.order(2);
    agents = order.nodeSets.flatMap((set) => set.agents);
  });
  afterEach(() => at.close());

  const deploy = async () => {
    await at.run(at.hub.clusters.ensureControlPlane(order));
    await at.run(at.hub.clusters.ensureNodePools(order));
  };
  const namesOf = async (kind: string) =>
    (await at.run(at.hub.readAll()))
      .filter((news) => news.kind === kind)
      .map(({ object }) => object.metadata.name);

  it("says its version", async () => {
    expect(await at.run(at.hub.probe())).toMatch(/^v1\./);
  });

  it("can carry networks of tenants", async () => {
    expect(await at.run(at.hub.networksFault())).toBeUndefined();
  });

  it("lists what owners have on it, each thing with its owner", async () => {
    expect(await at.run(at.hub.observeAll(["cluster"]))).toEqual([]);
    await deploy();
    const owner = ownerIn(order);
    const standing = { namespace: order.namespace, owner };
    expect(await at.run(at.hub.observeAll(["cluster"]))).toEqual([
      { kind: "HostedCluster", name: order.hostedCluster, ...standing },
      { kind: "NodePool", name: order.nodeSets[0]?.nodePool, ...standing },
      { kind: "Namespace", name: order.namespace, owner },
      ...agents.map((name) => ({ kind: "Agent", name, namespace: agentNamespace, owner })),
    ]);
  });

  it("lists nothing of owners of a kind that is not asked for", async () => {
    await deploy();
    expect(await at.run(at.hub.observeAll(["machine"]))).toEqual([]);
  });

  it("lists no more of them than there are left", async () => {
    await deploy();
    for (const agent of agents) await at.run(at.hub.agents.release(order, agent));
    const kinds = (await at.run(at.hub.observeAll(["cluster"]))).map(({ kind }) => kind);
    expect(kinds).toEqual(["HostedCluster", "NodePool", "Namespace"]);
  });

  it("reports the objects of all owners, and agents that nobody has", async () => {
    const free = await namesOf("Agent");
    expect(free).toEqual(expect.arrayContaining(agents));
    expect(free.length).toBeGreaterThan(agents.length);
    await deploy();
    expect(await namesOf("HostedCluster")).toEqual([order.hostedCluster]);
    expect(await namesOf("NodePool")).toEqual([order.nodeSets[0]?.nodePool]);
    expect(await namesOf("Agent")).toEqual(free);
  });

  it.each<[string, (hub: HubReports) => Promise<unknown>]>([
    ["probe", (hub) => hub.probe()],
    ["readAll", (hub) => hub.readAll()],
    ["observeAll", (hub) => hub.observeAll(["cluster"])],
    ["networksFault", (hub) => hub.networksFault()],
  ])("cannot be asked with wrong credentials, nor while it does not answer: %s", async (_, ask) => {
    expect(await failureOf(at.run(ask(at.stranger)))).toMatchObject({ kind: "Unavailable" });
    for (const fault of ["crash_before", "timeout"] as const) {
      at.faults.add({ target: "hub", fault });
      expect(await failureOf(at.run(ask(at.hub)))).toMatchObject({
        kind: "Unavailable",
        message: "the hub does not answer",
      });
    }
    await at.run(ask(at.hub));
  });
}
