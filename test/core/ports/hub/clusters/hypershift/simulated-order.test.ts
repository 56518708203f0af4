import { afterEach, beforeEach, expect, it } from "vitest";
import { startAgent } from "../../../../../../agent/agent.ts";
import { minutes, systemClock } from "../../../../../../core/clock.ts";
import { silent } from "../../../../../../core/log.ts";
import { KubernetesHub } from "../../../../../../core/ports/hub/kubernetes-hub.ts";
import type { News } from "../../../../../../core/ports/hub/news.ts";
import { parseKubeconfig } from "../../../../../../core/ports/kubernetes/kubeconfig.ts";
import { newsIn } from "../../../../../../core/resources/meaning.ts";
import type { Order } from "../../../../../support/deployment.ts";
import { eventually } from "../../../../../support/eventually.ts";
import { orderOf, type TestWorld, testWorld } from "../../../../../support/sim-world.ts";

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
    clock: simulated.clock,
    wall: systemClock,
    log: silent,
    heartbeatEvery: minutes(1),
    apart: 0,
    fetch: simulated.world.fetch,
  });
  /** At rest: of an object on its way, progress may not have been told yet. */
  const same = (isAtRest = true) =>
    eventually(async () => {
      const read = await client.readAll();
      expect(read.length).toBeGreaterThan(0);
      expect(told.size).toBe(read.length);
      for (const news of read) {
        const last = told.get(`${news.kind} ${news.object.metadata.name}`);
        const unsaid = isAtRest ? ["nothing"] : ["nothing", "progress"];
        expect(unsaid, news.object.metadata.name).toContain(last && newsIn(last, news));
      }
    });
  await same();
  await client.clusters.ensureControlPlane(order);
  await client.clusters.ensureNodePools(order);
  await simulated.clock.advance(minutes(12));
  await same(false);
  await simulated.clock.advance(minutes(20));
  await client.clusters.removeHostedCluster(order);
  await simulated.clock.advance(minutes(30));
  await same();
  expect(told.has(`HostedCluster ${order.hostedCluster}`)).toBe(false);
  await agent.stop();
});
