import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startAgent } from "../../../../../../agent/agent.ts";
import { minutes, systemClock } from "../../../../../../core/clock.ts";
import { silent } from "../../../../../../core/log.ts";
import { isReclaimed } from "../../../../../../core/placement/host.ts";
import { KubernetesHub } from "../../../../../../core/ports/hub/kubernetes-hub.ts";
import type { News } from "../../../../../../core/ports/hub/news.ts";
import type { NewsKind } from "../../../../../../core/ports/hub/reported-kinds.ts";
import { parseKubeconfig } from "../../../../../../core/ports/kubernetes/kubeconfig.ts";
import type { ObservedControlPlane } from "../../../../../../core/resources/cluster/model.ts";
import {
  observedControlPlane,
  observedNodePool,
} from "../../../../../../core/resources/cluster/observed.ts";
import { observedAgent } from "../../../../../../core/resources/host/observed.ts";
import { meansTheSame } from "../../../../../../core/resources/meaning.ts";
import { type Order, ownerIn } from "../../../../../support/deployment.ts";
import {
  advanceUntil,
  orderOf,
  type TestWorld,
  testWorld,
} from "../../../../../support/sim-world.ts";

const now = "2026-01-01T00:00:00.000Z";

let simulated: TestWorld;
let order: Order;
let client: KubernetesHub;
let kubeconfig: string;

beforeEach(async () => {
  simulated = await testWorld();
  order = orderOf(simulated.cluster);
  const text = simulated.hub.kubeconfig;
  if (text === undefined) throw new Error("the hub does not listen");
  kubeconfig = text;
  const connection = parseKubeconfig(kubeconfig);
  const { fetch } = simulated.world;
  client = new KubernetesHub({ connection, wall: systemClock, fetch });
});

afterEach(async () => {
  await client.close();
  await simulated.world.stop();
  simulated.database.close();
});

const one = (news: News[], kind: NewsKind) => news.filter((each) => each.kind === kind);

async function controlPlane(): Promise<ObservedControlPlane | undefined> {
  const [news] = one(await client.clusters.read(order), "HostedCluster");
  return news && observedControlPlane(news, undefined, now);
}

/** Moves the world on until what the client sees is so. */
async function passesUntil(condition: () => Promise<boolean>): Promise<void> {
  for (let passed = 0; !(await condition()); passed += 1) {
    if (passed > 120) throw new Error("two hours have passed and it is not so");
    await simulated.clock.advance(minutes(1));
  }
}

it("an order through its life on a simulated hub", async () => {
  await client.clusters.ensureControlPlane(order);
  await client.clusters.ensureNodePools(order);
  await passesUntil(async () => (await controlPlane())?.available === true);
  await passesUntil(async () => {
    const pools = one(await client.clusters.read(order), "NodePool").map((news) =>
      observedNodePool(news, now),
    );
    return (
      pools.length === 1 &&
      pools.every(({ ready, version_completed }) => ready && version_completed)
    );
  });
  await passesUntil(async () => (await controlPlane())?.version_completed === true);
  expect(await controlPlane()).toMatchObject({ gone: false, version: "4.17.9", message: "" });
  expect((await controlPlane())?.refusal).toBeUndefined();
  expect((await controlPlane())?.endpoint?.port).toBe(6443);

  expect(parseKubeconfig((await client.credentials.readKubeconfig(order)) ?? "").server).toMatch(
    /^https:/,
  );
  expect(await client.credentials.readPassword(order)).toMatch(/\S{8,}/);
  const operators = await client.clusters.readOperators(order);
  expect(operators?.total).toBeGreaterThan(5);

  await client.clusters.removeHostedCluster(order);
  await expect(client.clusters.removeNamespace(order)).rejects.toMatchObject({
    kind: "Unavailable",
  });
  await passesUntil(async () => (await controlPlane()) === undefined);
  const mine = async () =>
    one(await client.clusters.read(order), "Agent").map((news) => observedAgent(news, now));
  await passesUntil(async () => (await mine()).every(isReclaimed));
  for (const { name } of await mine()) await client.agents.release(ownerIn(order), name);
  await client.clusters.removeNamespace(order);
  expect(await client.clusters.read(order)).toEqual([]);
  await advanceUntil(
    simulated.clock,
    () => simulated.cluster.get("Namespace", undefined, order.namespace) === undefined,
  );
});

it("what the agent told last means what a direct read shows", async () => {
  const told = new Map<string, News>();
  const agent = startAgent({
    connection: parseKubeconfig(kubeconfig),
    report: async ({ news }) => {
      for (const each of news) {
        const key = `${each.kind} ${each.object.metadata.name}`;
        if (each.deleted) told.delete(key);
        else told.set(key, each);
      }
    },
    clock: systemClock,
    wall: systemClock,
    log: silent,
    heartbeatEvery: minutes(1),
    fetch: simulated.world.fetch,
  });
  const same = () =>
    vi.waitFor(async () => {
      const read = await client.readAll();
      expect(read.length).toBeGreaterThan(0);
      expect(told.size).toBe(read.length);
      for (const news of read) {
        const last = told.get(`${news.kind} ${news.object.metadata.name}`);
        // What means the same it keeps to itself.
        expect(last && meansTheSame(last, news), news.object.metadata.name).toBe(true);
      }
    });
  await same();
  await client.clusters.ensureControlPlane(order);
  await client.clusters.ensureNodePools(order);
  await simulated.clock.advance(minutes(12));
  await same();
  await simulated.clock.advance(minutes(20));
  await client.clusters.removeHostedCluster(order);
  await simulated.clock.advance(minutes(30));
  await same();
  expect(told.has(`HostedCluster ${order.hostedCluster}`)).toBe(false);
  await agent.stop();
});

it("a release image that does not exist is a refusal", async () => {
  await client.clusters.ensureControlPlane({
    ...order,
    releaseImage: "quay.io/openshift-release-dev/ocp-release:none",
  });
  await passesUntil(async () => (await controlPlane())?.refusal !== undefined);
  expect((await controlPlane())?.refusal).toMatch(/^ValidReleaseImage: InvalidImage: /);
});
