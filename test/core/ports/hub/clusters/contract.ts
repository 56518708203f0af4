import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { minutes } from "../../../../../core/clock.ts";
import { isReclaimed } from "../../../../../core/placement/pool/host.ts";
import type { NodeSetDeployment } from "../../../../../core/ports/hub/clusters/port.ts";
import type { News } from "../../../../../core/ports/hub/news.ts";
import type { NewsKind } from "../../../../../core/ports/hub/reported-kinds.ts";
import { parseKubeconfig } from "../../../../../core/ports/kubernetes/kubeconfig.ts";
import type { ObservedControlPlane } from "../../../../../core/resources/cluster/model.ts";
import {
  observedControlPlane,
  observedNodePool,
} from "../../../../../core/resources/cluster/observed.ts";
import { observedAgent } from "../../../../../core/resources/host/observed.ts";
import { deployment, type Order } from "../../../../support/deployment.ts";
import { failureOf } from "../../../../support/failure.ts";
import { bodyOf } from "../../../../support/sim-world.ts";
import { type HubFixture, hubFaults, passesUntil } from "../fixture.ts";

const imageOf = ({ object }: News): string =>
  z.object({ release: z.object({ image: z.string() }) }).parse(object.spec).release.image;

const now = "2026-01-01T00:00:00.000Z";

/** What every adapter of the port of hosted clusters does. */
export function clustersContract(open: () => Promise<HubFixture>): void {
  let at: HubFixture;
  let order: Order;
  let set: NodeSetDeployment;
  beforeEach(async () => {
    at = await open();
    order = at.order(2);
    const [first] = order.nodeSets;
    if (!first) throw new Error("the order has a node set");
    set = first;
  });
  afterEach(() => at.close());

  const clusters = () => at.hub.clusters;
  const failure = (call: Promise<unknown>) => failureOf(at.run(call));
  const deployControlPlane = (of = order) => at.run(clusters().ensureControlPlane(of));
  const deployNodePools = (of = order) => at.run(clusters().ensureNodePools(of));
  const removeHostedCluster = (of = order) => at.run(clusters().removeHostedCluster(of));
  const removeNamespace = (of = order) => at.run(clusters().removeNamespace(of));
  const read = (of = order) => at.run(clusters().read(of));
  const one = async (kind: NewsKind, of = order) =>
    (await read(of)).filter((each) => each.kind === kind);
  const controlPlane = async (of = order): Promise<ObservedControlPlane | undefined> => {
    const [news] = await one("HostedCluster", of);
    return news && observedControlPlane(news, undefined, now);
  };
  const pools = async (of = order) =>
    (await one("NodePool", of)).map((news) => ({
      pool: news.object.metadata.name,
      ...observedNodePool(news, now),
    }));
  const agents = async (of = order) =>
    (await one("Agent", of)).map((news) => observedAgent(news, now));
  const things = () => at.ledger().filter((item) => !at.isShared(item));
  const owned = (of = order) => at.ledger().filter(({ owner }) => owner?.id === of.id);
  const withSize = (size: number): Order => ({ ...order, nodeSets: [{ ...set, size }] });
  const withPool = (name: string): NodeSetDeployment => ({
    ...{ name, nodePool: `${order.name}-${name}`, size: 0, agents: [] },
  });

  const isReady = async (of = order): Promise<boolean> => {
    const plane = await controlPlane(of);
    const all = await pools(of);
    return (
      plane?.available === true &&
      plane.version_completed === true &&
      all.length === of.nodeSets.length &&
      all.every(({ ready, version_completed }) => ready && version_completed)
    );
  };
  async function deploy(of = order): Promise<void> {
    await deployControlPlane(of);
    await deployNodePools(of);
  }
  async function remove(of = order): Promise<void> {
    await removeHostedCluster(of);
    await passesUntil(at.clock, async () => (await controlPlane(of)) === undefined);
    await passesUntil(at.clock, async () => (await agents(of)).every(isReclaimed));
    for (const { name } of await agents(of)) await at.run(at.hub.agents.release(of, name));
    await removeNamespace(of);
    await passesUntil(at.clock, async () => owned(of).length === 0);
  }

  describe("an owner's cluster", () => {
    it("goes from nothing to ready, and back to nothing", async () => {
      const before = at.ledger();
      expect(await read()).toEqual([]);
      expect(await at.run(clusters().readOperators(order))).toBeUndefined();
      await deploy();
      await passesUntil(at.clock, isReady);
      expect(await controlPlane()).toMatchObject({
        ...{ gone: false, available: true, degraded: false, message: "" },
        ...{ version: "4.17.9", version_completed: true, endpoint: { port: 6443 } },
      });
      expect((await controlPlane())?.refusal).toBeUndefined();
      expect(await pools()).toMatchObject([{ desired: 2, ready: true, version_completed: true }]);
      expect((await agents()).map(({ bound_to }) => bound_to)).toEqual([order.name, order.name]);

      const guest = parseKubeconfig((await at.run(at.hub.credentials.readKubeconfig(order))) ?? "");
      expect(guest.server).toMatch(/^https:/);
      const nodes = await bodyOf<{ items: unknown[] }>(
        at.fetch(`${guest.server}/api/v1/nodes`, {
          headers: { authorization: `Bearer ${guest.token}` },
        }),
      );
      expect(nodes.items).toHaveLength(2);
      expect(await at.run(at.hub.credentials.readPassword(order))).toMatch(/^\w{5}(-\w{5}){3}$/);
      const operators = await at.run(clusters().readOperators(order));
      expect(operators?.total).toBeGreaterThan(5);
      expect(operators?.unavailable.map((line) => line.split(":")[0])).toEqual([
        "console",
        "ingress",
      ]);

      await remove();
      expect(await read()).toEqual([]);
      expect(await at.run(at.hub.observeAll(["cluster"]))).toEqual([]);
      expect(at.ledger()).toEqual(before);
    });

    it("is made once however often it is asked for", async () => {
      await deploy();
      await passesUntil(at.clock, isReady);
      const [before, news] = [at.ledger(), await read()];
      await deploy();
      expect(await read()).toEqual(news);
      expect(at.ledger()).toEqual(before);
    });

    it("takes the hosts of its node sets, and no others", async () => {
      await deploy();
      expect((await agents()).map(({ name }) => name).toSorted()).toEqual(set.agents.toSorted());
      expect(await pools()).toMatchObject([{ pool: set.nodePool, desired: 2 }]);
    });

    it("stands beside another's, and stays when that is removed", async () => {
      await deploy();
      const other = deployment({
        ...{ id: "0197a0de-0000-7000-8000-000000000002", name: "klmnopqrst" },
        nodeSets: at.order(1).nodeSets,
      });
      await deployControlPlane(other);
      const mine = (await read()).map(({ object }) => object.metadata.name);
      expect((await read(other)).map(({ object }) => object.metadata.name)).toEqual([other.name]);
      await remove(other);
      expect((await read()).map(({ object }) => object.metadata.name)).toEqual(mine);
    });

    it("is not an owner's of another kind, whatever its id", async () => {
      await deploy();
      expect(await read({ ...order, kind: "machine", name: "klmnopqrst" })).toEqual([]);
    });

    it.each<[string, (host: string) => string | Promise<string>]>([
      ["that does not exist", () => "ghost"],
      [
        "that another owner has",
        async (host) => {
          at.agent.label(host, { "slipway.dev/cluster": "another" });
          return host;
        },
      ],
    ])("is refused a host %s, by name", async (_, prepared) => {
      const host = await prepared(set.agents[0] ?? "");
      const labels = () => set.agents.map(at.agent.labels);
      const before = labels();
      await deployControlPlane();
      const wrong = { ...order, nodeSets: [{ ...set, agents: [host] }] };
      expect(await failure(clusters().ensureNodePools(wrong))).toMatchObject({
        kind: "Rejected",
        message: expect.stringContaining(host),
      });
      expect(await pools()).toEqual([]);
      expect(labels()).toEqual(before);
    });

    it("has the pull secret that was sent last", async () => {
      await deployControlPlane();
      expect(at.pullSecret(order)).toBe(order.pullSecret);
      const pullSecret = '{"auths":{}}';
      await at.run(clusters().ensurePullSecret({ ...order, pullSecret }));
      expect(at.pullSecret(order)).toBe(pullSecret);
      await remove();
      expect(at.pullSecret(order)).toBeUndefined();
    });

    it("whose release does not exist has a refusal to show", async () => {
      await deployControlPlane({ ...order, releaseImage: at.unknownRelease.image });
      await passesUntil(at.clock, async () => (await controlPlane())?.refusal !== undefined);
      expect((await controlPlane())?.refusal).toMatch(at.unknownRelease.refusal);
    });
  });

  describe("node pools", () => {
    beforeEach(() => deployControlPlane());

    it("are emptied when their node set is no more, and removed when that is asked", async () => {
      await deployNodePools({ ...order, nodeSets: [set, withPool("gpu")] });
      await deployNodePools({ ...order, nodeSets: [withPool("gpu")] });
      expect((await pools()).map(({ pool, desired }) => [pool, desired])).toEqual([
        [`${order.name}-gpu`, 0],
        [set.nodePool, 0],
      ]);
      await at.run(clusters().removeNodePools(order, [`${order.name}-gpu`]));
      await passesUntil(at.clock, async () => (await pools()).length === 1);
      expect(await pools()).toMatchObject([{ pool: `${order.name}-gpu` }]);
      await at.run(clusters().removeNodePools(order, [`${order.name}-gpu`]));
      expect(await pools()).toMatchObject([{ pool: `${order.name}-gpu` }]);
    });

    it("are waited for while they are being removed from before", async () => {
      await deployNodePools();
      await passesUntil(at.clock, isReady);
      await at.run(clusters().removeNodePools(order, []));
      expect(await failure(clusters().ensureNodePools(order))).toMatchObject({
        kind: "Unavailable",
        message: expect.stringContaining("still being removed"),
      });
      // One of another name may be made meanwhile.
      await deployNodePools({ ...order, nodeSets: [withPool("gpu")] });
    });

    it("lose the hosts first that are to leave first", async () => {
      await deployNodePools();
      await passesUntil(at.clock, isReady);
      const [first = "", second = ""] = set.agents;
      await at.run(clusters().letLeaveFirst(order, [second, "ghost"]));
      await at.run(clusters().letLeaveFirst(order, []));
      await deployNodePools(withSize(1));
      await passesUntil(at.clock, async () => (await agents()).some(isReclaimed));
      const free = (await agents()).filter(isReclaimed).map(({ name }) => name);
      expect(free).toEqual([second]);
      expect(free).not.toContain(first);
    });
  });

  describe("a release", () => {
    const from = { version: "4.17.9", image: deployment().releaseImage };
    const to = { version: "4.18.1", image: from.image.replace("4.17.9", "4.18.1") };
    const upgrade = () => at.run(clusters().setRelease(order, to.image));
    const withdraw = () => at.run(clusters().withdrawRelease(order, from, to));
    const images = async (kind: NewsKind) => (await one(kind)).map(imageOf);
    const target = async () => (await images("HostedCluster"))[0];

    it("is set as often as it is asked for", async () => {
      await deployControlPlane();
      await upgrade();
      expect(await target()).toBe(to.image);
      const before = await read();
      await upgrade();
      expect(await read()).toEqual(before);
    });

    it("is withdrawn until the control plane begins with it, and not after", async () => {
      await deploy();
      await passesUntil(at.clock, isReady);
      expect(await withdraw()).toBe(true);
      await upgrade();
      expect(await withdraw()).toBe(true);
      expect(await target()).toBe(from.image);
      await upgrade();
      await at.clock.advance(minutes(1));
      expect(await withdraw()).toBe(false);
      expect(await target()).toBe(to.image);
    });

    it("of a node pool is its own", async () => {
      await deploy();
      await at.run(clusters().setNodePoolRelease(order, set.nodePool, to.image));
      expect(await images("NodePool")).toEqual([to.image]);
      expect(await target()).toBe(from.image);
    });

    it("of what is not there is refused; there is nothing to withdraw", async () => {
      const calls = [
        () => clusters().setRelease(order, to.image),
        () => clusters().setNodePoolRelease(order, set.nodePool, to.image),
      ];
      for (const call of calls) expect(await failure(call())).toMatchObject({ kind: "Rejected" });
      expect(await withdraw()).toBe(true);
      expect(await read()).toEqual([]);
    });
  });

  describe("what is removed", () => {
    it("may be gone, or never have been", async () => {
      const before = things();
      await removeHostedCluster();
      await removeNamespace();
      await at.run(clusters().removeNodePools(order, []));
      await at.run(clusters().letLeaveFirst(order, set.agents));
      expect(things()).toEqual(before);
      await deploy();
      await remove();
      await removeHostedCluster();
      await removeNamespace();
      expect(things()).toEqual(before);
    });

    it("is gone as well when it was removed before it came up", async () => {
      const before = things();
      await deploy();
      await remove();
      expect(things()).toEqual(before);
    });

    it("keeps what the cluster needs until the cluster is gone: Unavailable", async () => {
      await deploy();
      await passesUntil(at.clock, isReady);
      expect(await failure(clusters().removeNamespace(order))).toMatchObject({
        kind: "Unavailable",
      });
      await removeHostedCluster();
      await removeHostedCluster();
      const before = owned();
      const error = await failure(clusters().removeNamespace(order));
      expect(error).toMatchObject({
        kind: "Unavailable",
        message: expect.stringContaining("still being removed"),
      });
      expect(owned()).toEqual(before);
      await remove();
      expect(owned()).toEqual([]);
    });
  });

  describe("what somebody else has in the place of an order", () => {
    it("is refused, and never changed or removed", async () => {
      at.occupy(order);
      const before = things();
      expect(await failure(clusters().ensureControlPlane(order))).toMatchObject({
        kind: "Rejected",
        message: expect.stringContaining(order.name),
      });
      await removeHostedCluster();
      await removeNamespace();
      expect(things()).toEqual(before);
    });
  });

  describe("on a bad day", () => {
    it.each(hubFaults)(
      "it says so when it meets %j: %s, and goes on later",
      async (fault, kind) => {
        const before = things();
        for (const call of ["ensureControlPlane", "ensureNodePools"] as const) {
          at.faults.add({ target: "hub", operation: "PATCH /", ...fault });
          expect(await failure(clusters()[call](order))).toMatchObject({ kind });
          at.faults.clear();
          await at.run(clusters()[call](order));
        }
        for (const call of ["removeHostedCluster", "removeNamespace"] as const) {
          at.faults.add({ target: "hub", operation: "DELETE /", ...fault });
          expect(await failure(clusters()[call](order))).toMatchObject({ kind });
          at.faults.clear();
          await remove();
        }
        expect(things()).toEqual(before);
      },
    );

    it("writes that collide with others' are made again, and slow answers are taken", async () => {
      at.faults.add({ target: "hub", operation: "PATCH /", fault: "conflict", count: 2 });
      at.faults.add({ target: "hub", fault: "slow", count: 2 });
      await deploy();
      expect(await pools()).toHaveLength(1);
    });

    it("it waits while its credentials are not accepted", async () => {
      const { clusters: refused } = at.stranger;
      for (const call of ["ensureControlPlane", "ensureNodePools", "ensurePullSecret"] as const)
        expect(await failure(refused[call](order))).toMatchObject({ kind: "Unavailable" });
      for (const call of ["read", "removeHostedCluster", "removeNamespace"] as const)
        expect(await failure(refused[call](order))).toMatchObject({ kind: "Unavailable" });
      expect(owned()).toEqual([]);
    });

    it("a hosted cluster that does not answer is Unavailable, and its hub is well", async () => {
      await deploy();
      await passesUntil(at.clock, isReady);
      at.cutOff(order);
      expect(await failure(clusters().readOperators(order))).toMatchObject({
        kind: "Unavailable",
        message: "the hosted cluster's API does not answer",
      });
      expect(await at.run(at.hub.probe())).toMatch(/^v1\./);
    });
  });
}
