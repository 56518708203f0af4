import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type DevProcess, operationIn, startDev, until } from "../support/dev-process.ts";
import { countsOf, ownedBy } from "../support/owned.ts";
import type { Wire } from "../support/site.ts";

/** Fast enough for a short test, slow enough to meet every step on its way. */
const speed = 300;

const stepOf = (operation: Wire, name: string): Wire =>
  operation.status.steps.find((step: Wire) => step.name === name) ?? { state: "PENDING" };

/** Waits until the operation's step is so, or the operation has gone past it. */
async function untilStep(
  slipway: DevProcess,
  operation: string,
  name: string,
  is: (step: Wire) => boolean,
): Promise<void> {
  await until(async () => {
    const step = stepOf(await slipway.operation(operation), name);
    return is(step) || step.state === "SUCCEEDED";
  }, `${name} of the operation`);
}

/** Everything that must be the same after a restart: URLs, tokens, keys, hubs. */
function identityOf({ dev }: DevProcess) {
  return { dev, hubs: dev.hubs.map(({ kubeconfig }) => readFileSync(kubeconfig, "utf8")) };
}

/** Kills Slipway and starts it on the same data: it is the same one. */
async function killedAndRestarted(killed: DevProcess): Promise<DevProcess> {
  const before = identityOf(killed);
  await killed.kill9();
  const restarted = await startDev({ data: killed.data, speed });
  expect(restarted.pid).not.toBe(killed.pid);
  expect(identityOf(restarted)).toEqual(before);
  return restarted;
}

async function becomesReady(
  slipway: DevProcess,
  order: { id: string; operation: string },
): Promise<void> {
  const operation = await slipway.ended(order.operation);
  expect(operation.status).toMatchObject({ state: "OPERATION_STATE_SUCCEEDED" });
  const { body: cluster } = await slipway.api("GET", `clusters/${order.id}`);
  expect(cluster.status.state).toBe("CLUSTER_STATE_READY");
  expect(await countsOf(slipway, order.id)).toEqual(ownedBy(2));
  const { body: operations } = await slipway.api("GET", "operations");
  expect(operations.items.map(({ id }: Wire) => id)).toEqual([order.operation]);
}

/** The moments of a create, by how to find them. */
const moments: Record<string, (slipway: DevProcess, operation: string) => Promise<void>> = {
  "as soon as it is accepted": async () => {},
  "while the hub's objects are being applied": async (slipway, operation) => {
    // The fault of `stage` keeps the hub from answering for the HostedCluster.
    await until(async () => {
      const { body } = await slipway.sim("GET", "faults");
      return body.items[0].taken > 0;
    }, "the hub to be asked for the HostedCluster");
    expect(stepOf(await slipway.operation(operation), "DeployControlPlane").state).toBe("RUNNING");
    const kinds = (await slipway.ledger()).flatMap(({ kind, owner }) => (owner ? [kind] : []));
    expect(kinds).toContain("Namespace");
    expect(kinds).not.toContain("HostedCluster");
  },
  "while the control plane comes up": (slipway, operation) =>
    untilStep(slipway, operation, "DeployControlPlane", ({ state, message = "" }) => {
      return state === "WAITING" && /Etcd|KubeAPIServer/.test(message);
    }),
  "while nodes join": (slipway, operation) =>
    untilStep(slipway, operation, "JoinNodes", ({ message = "" }) =>
      message.includes("installing"),
    ),
  "just as it is published": (slipway, operation) =>
    untilStep(slipway, operation, "PublishCluster", ({ state }) => state === "RUNNING"),
};

/** What has to be in place for a moment, before the order. */
const stage: Record<string, (slipway: DevProcess) => Promise<unknown>> = {
  "while the hub's objects are being applied": (slipway) =>
    slipway.sim("POST", "faults", {
      target: "hub",
      operation: "PATCH /apis/hypershift.openshift.io/",
      fault: "timeout",
    }),
};

it.each(Object.keys(moments))("an order survives a kill -9 %s", async (moment) => {
  const killed = await startDev({ speed });
  await stage[moment]?.(killed);
  const order = await killed.order("survivor");
  await moments[moment]?.(killed, order.operation);
  const restarted = await killedAndRestarted(killed);
  await becomesReady(restarted, order);
});

it("an order that waits for capacity keeps its place over a kill -9", async () => {
  const killed = await startDev({ speed });
  const cordon = (slipway: DevProcess, cordoned: boolean) =>
    Promise.all(
      slipway.dev.hubs.map(({ id }) =>
        slipway.admin("PATCH", `hubs/${id}`, { spec: { cordoned } }),
      ),
    );
  await cordon(killed, true);
  const order = await killed.order("patient");
  await untilStep(killed, order.operation, "ReserveCapacity", ({ state }) => state === "WAITING");
  expect(await countsOf(killed, order.id)).toEqual({});
  const restarted = await killedAndRestarted(killed);
  const { status } = await restarted.operation(order.operation);
  expect(stepOf({ status }, "ReserveCapacity").state).toBe("WAITING");
  await cordon(restarted, false);
  await becomesReady(restarted, order);
});

it("a deletion survives a kill -9 and leaves nothing", async () => {
  const killed = await startDev({ speed });
  const order = await killed.order("doomed");
  await becomesReady(killed, order);
  const { headers } = await killed.api("DELETE", `clusters/${order.id}`);
  const deletion = operationIn(headers);
  await untilStep(killed, deletion, "Undo DeployControlPlane", ({ state }) => state === "WAITING");
  const restarted = await killedAndRestarted(killed);
  expect((await restarted.ended(deletion)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(await countsOf(restarted, order.id)).toEqual({});
  expect((await restarted.api("GET", `clusters/${order.id}`)).status).toBe(404);
  const { body: hosts } = await restarted.admin("GET", "hosts?limit=100");
  expect(hosts.items.map(({ status }: Wire) => status.state)).toEqual(
    Array(24).fill("HOST_STATE_AVAILABLE"),
  );
});

it("a token of before the kill is still good, and its hubs answer on their ports", async () => {
  const killed = await startDev({ speed });
  await killed.kill9();
  await startDev({ data: killed.data, speed });
  expect((await killed.api("GET", "clusters", undefined, "tenant-b")).status).toBe(200);
  expect((await killed.admin("GET", "hubs")).body.items).toHaveLength(2);
  expect((await killed.ledger()).filter(({ kind }) => kind === "host")).toHaveLength(24);
});
