import { expect, it } from "vitest";
import { gpusIn } from "../../../sim/operators/nodes.ts";
import { controlPlaneNamespace } from "../../../sim/operators/objects.ts";
import { deployment } from "../../support/deployment.ts";
import { advanceUntil, agents, applyAll, isReady, testWorld } from "../../support/sim-world.ts";

it("a host with GPUs tells of them as an agent, and has them as a node", async () => {
  const { world, clock, database, hub, cluster } = await testWorld();
  const [withGpus, without] = [8, 0].map((count) =>
    agents(cluster).find(({ status }) => status?.inventory?.gpus?.length === count),
  );
  const of = (name: string, agent = withGpus) => ({
    name,
    nodePool: `abcdefghij-${name}`,
    hostType: "any",
    size: 1,
    agents: agent ? [agent.metadata.name] : [],
  });
  const order = deployment({ nodeSets: [of("gpu"), of("workers", without)] });
  applyAll(cluster, order);
  await advanceUntil(clock, () => isReady(cluster, order));
  const [hosted] = cluster.list("HostedCluster");
  const guest = hosted && hub.hosted.get(controlPlaneNamespace(hosted));
  const nodes = guest?.cluster.list("Node").map((node) => [node.metadata.name, gpusIn(node)]);
  expect(nodes).toEqual([
    [without?.status?.inventory?.hostname, 0],
    [withGpus?.status?.inventory?.hostname, 8],
  ]);
  expect(withGpus?.status?.inventory?.hostname).toMatch(/^h100-/);
  await world.stop();
  database.close();
});
