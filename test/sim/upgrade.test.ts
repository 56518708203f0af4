import { beforeEach, describe, expect, it } from "vitest";
import { minutes } from "../../core/clock.ts";
import type { HostedCluster, NodePool } from "../../sim/operators/objects.ts";
import { read } from "../../sim/operators/objects.ts";
import type { Order } from "../support/deployment.ts";
import {
  advanceUntil,
  applyAll,
  condition,
  hostedCluster,
  isReady,
  orderOf,
  pool,
  type TestWorld,
  testWorld,
} from "../support/sim-world.ts";

/** A hosted cluster goes to another release, as HyperShift does it. */

let test: TestWorld;
let order: Order;

beforeEach(async () => {
  test = await testWorld();
  order = orderOf(test.cluster);
  applyAll(test.cluster, order);
  await advanceUntil(test.clock, () => isReady(test.cluster, order));
});

const image = (version: string) => `quay.io/openshift-release-dev/ocp-release:${version}-multi`;

function askControlPlane(version: string): void {
  test.cluster.mutate("HostedCluster", order.namespace, order.hostedCluster, (object) => ({
    ...object,
    spec: { ...read<HostedCluster>(object).spec, release: { image: image(version) } },
  }));
}

function askNodePool(version: string): void {
  const { namespace, name } = pool(test.cluster, order).metadata;
  test.cluster.mutate("NodePool", namespace, name, (object) => ({
    ...object,
    spec: { ...read<NodePool>(object).spec, release: { image: image(version) } },
  }));
}

const hosted = () => hostedCluster(test.cluster, order);
const historyOf = () =>
  hosted()?.status?.version?.history.map(({ state, version }) => `${version} ${state}`);
const arrives = () => advanceUntil(test.clock, () => historyOf()?.[0] === "4.18.1 Completed");
const guest = () => test.hub.hosted.get(order.controlPlaneNamespace)?.cluster;
const nodes = () =>
  (guest()?.list("Node") ?? []).map((node) => {
    const { nodeInfo } = node.status as { nodeInfo: { kubeletVersion: string } };
    return { version: nodeInfo.kubeletVersion, ready: condition(node, "Ready").status === "True" };
  });

describe("a control plane", () => {
  it("is Partial while its operators go over, one by one, and stays available", async () => {
    askControlPlane("4.18.1");
    await advanceUntil(test.clock, () => historyOf()?.[0] === "4.18.1 Partial");
    expect(historyOf()).toEqual(["4.18.1 Partial", "4.17.9 Completed"]);
    expect(condition(hosted(), "Progressing").status).toBe("True");
    await test.clock.advance(minutes(1));
    expect(condition(hosted(), "ClusterVersionProgressing")).toMatchObject({ status: "True" });
    expect(condition(hosted(), "ClusterVersionProgressing").message).toMatch(
      /^Working towards 4\.18\.1: [1-9]\d* of 21 done \(\d+% complete\)$/,
    );
    expect(condition(hosted(), "Available").status).toBe("True");
    await arrives();
    expect(historyOf()).toEqual(["4.18.1 Completed", "4.17.9 Completed"]);
    expect(condition(hosted(), "Progressing").status).toBe("False");
    // Nodes go where their pool goes.
    expect(nodes().map(({ version }) => version)).toEqual(["4.17.9", "4.17.9"]);
    expect(pool(test.cluster, order).status?.version).toBe("4.17.9");
  });

  it.each([
    ["4.16.3", 'y-stream downgrade from "4.17.9" to "4.16.3" is not supported'],
    ["4.99.0", "the latest version supported is"],
  ])("refuses %s, and goes on as it is", async (version, message) => {
    askControlPlane(version);
    await test.clock.advance(minutes(10));
    expect(condition(hosted(), "ValidReleaseImage")).toMatchObject({ status: "False" });
    expect(condition(hosted(), "ValidReleaseImage").message).toContain(message);
    expect(condition(hosted(), "Available").status).toBe("True");
    expect(historyOf()).toEqual(["4.17.9 Completed"]);
    askControlPlane("4.17.9");
    await test.clock.advance(minutes(1));
    expect(condition(hosted(), "ValidReleaseImage").status).toBe("True");
  });
});

describe("a node pool", () => {
  it("goes over machine by machine, each drained and booted anew", async () => {
    askControlPlane("4.18.1");
    await arrives();
    askNodePool("4.18.1");
    let least = 2;
    await advanceUntil(test.clock, () => {
      const ready = nodes().filter((node) => node.ready).length;
      least = Math.min(least, ready);
      return nodes().some(({ version }) => version === "4.18.1");
    });
    await advanceUntil(
      test.clock,
      () =>
        condition(pool(test.cluster, order), "UpdatingVersion").message?.endsWith("Upgraded: 1") ===
        true,
    );
    expect(condition(pool(test.cluster, order), "UpdatingVersion").message).toBe(
      'Updating version in progress. Target version: "4.18.1". Total Nodes: 2. Upgraded: 1',
    );
    expect(pool(test.cluster, order).status?.version).toBe("4.17.9");
    await advanceUntil(test.clock, () => {
      least = Math.min(least, nodes().filter((node) => node.ready).length);
      return pool(test.cluster, order).status?.version === "4.18.1";
    });
    expect(least).toBe(1);
    expect(nodes()).toEqual(Array(2).fill({ version: "4.18.1", ready: true }));
    expect(condition(pool(test.cluster, order), "UpdatingVersion").status).toBe("False");
    expect(isReady(test.cluster, order)).toBe(true);
  });

  it("does not go ahead of its control plane", async () => {
    askNodePool("4.18.1");
    await test.clock.advance(minutes(10));
    expect(condition(pool(test.cluster, order), "SupportedVersionSkew")).toMatchObject({
      status: "False",
      message: "NodePool version 4.18.1 cannot be higher than the HostedCluster version 4.17.9",
    });
    expect(nodes()).toEqual(Array(2).fill({ version: "4.17.9", ready: true }));
    askControlPlane("4.18.1");
    await advanceUntil(test.clock, () => pool(test.cluster, order).status?.version === "4.18.1");
  });
});
