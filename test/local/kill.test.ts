import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type DevProcess, operationIn, startDev, until } from "../support/dev-process.ts";
import { countsOf, ownedBy } from "../support/owned.ts";
import type { Wire } from "../support/site.ts";

/** Fast enough for a short test, slow enough to meet every step on its way. */
const speed = 300;

const stepOf = (operation: Wire, name: string): Wire =>
  operation.status.steps.find((step: Wire) => step.name === name) ?? { state: "PENDING" };

/** Everything that must be the same after a restart: URLs, tokens, keys, hubs. */
function identityOf({ dev }: DevProcess) {
  return { dev, hubs: dev.hubs.map(({ kubeconfig }) => readFileSync(kubeconfig, "utf8")) };
}

/** One Slipway, killed by each test and started again: what earlier tests left goes on in it. */
let slipway: DevProcess;
const ends: (() => Promise<void> | void)[] = [];
const start = async (data?: string) => {
  slipway = await startDev({ ...(data && { data }), speed, onEnd: (end) => ends.unshift(end) });
};
beforeAll(() => start());
afterAll(async () => {
  for (const end of ends) await end();
});

/** Kills Slipway and starts it on the same data: it is the same one. */
async function killAndRestart(): Promise<void> {
  const killed = slipway;
  const before = identityOf(killed);
  await killed.kill9();
  await start(killed.data);
  expect(slipway.pid).not.toBe(killed.pid);
  expect(identityOf(slipway)).toEqual(before);
}

/** Waits until the operation's step is so, or the operation has gone past it. */
async function untilStep(
  operation: string,
  name: string,
  is: (step: Wire) => boolean,
): Promise<void> {
  await until(async () => {
    const step = stepOf(await slipway.operation(operation), name);
    return is(step) || step.state === "SUCCEEDED";
  }, `${name} of the operation`);
}

interface Ordered {
  id: string;
  operation: string;
}

/** All operations that were asked for, in order. */
const asked: string[] = [];

/** The clusters that are READY and stay. */
const ready: string[] = [];
const ownedOf = (id: string) => countsOf(slipway, id, ready);

async function order(name: string): Promise<Ordered> {
  const ordered = await slipway.order(name);
  asked.push(ordered.operation);
  return ordered;
}

async function becomesReady({ id, operation }: Ordered): Promise<void> {
  await slipway.succeeded(operation);
  const { body: cluster } = await slipway.api("GET", `clusters/${id}`);
  expect(cluster.status.state).toBe("CLUSTER_STATE_READY");
  expect(await ownedOf(id)).toEqual(ownedBy(2));
  const { body: operations } = await slipway.api("GET", "operations");
  expect(operations.items.map(({ id }: Wire) => id)).toEqual(asked);
}

/** The moments of a create, by how to find them. */
const moments: Record<string, (ordered: Ordered) => Promise<void>> = {
  "as soon as it is accepted": async () => {},
  "while the hub's objects are being applied": async ({ id }) => {
    // The fault of `stage` keeps the hub from making the HostedCluster until Slipway is back.
    await until(async () => {
      const { body } = await slipway.sim("GET", "faults");
      return body.items[0].taken > 0;
    }, "the hub to be asked for the HostedCluster");
    const kinds = Object.keys(await ownedOf(id));
    expect(kinds).toContain("Namespace");
    expect(kinds).not.toContain("HostedCluster");
  },
  "while the control plane comes up": ({ operation }) =>
    untilStep(operation, "DeployControlPlane", ({ state, message = "" }) => {
      return state === "WAITING" && /Etcd|KubeAPIServer/.test(message);
    }),
  "while nodes join": ({ operation }) =>
    untilStep(operation, "JoinNodes", ({ message = "" }) => message.includes("installing")),
  "just as it is published": ({ operation }) =>
    untilStep(operation, "PublishCluster", ({ state }) => state === "RUNNING"),
};

/** What has to be in place for a moment, before the order. */
const stage: Record<string, () => Promise<unknown>> = {
  "while the hub's objects are being applied": () =>
    slipway.sim("POST", "faults", {
      target: "hub",
      operation: "PATCH /apis/hypershift.openshift.io/",
      fault: "timeout",
      count: 0,
    }),
};

it("a deletion survives a kill -9 and leaves nothing", async () => {
  const doomed = await order("doomed");
  await becomesReady(doomed);
  const { headers } = await slipway.api("DELETE", `clusters/${doomed.id}`);
  const deletion = operationIn(headers);
  asked.push(deletion);
  await untilStep(deletion, "Undo DeployControlPlane", ({ state }) => state === "WAITING");
  await killAndRestart();
  await slipway.succeeded(deletion);
  expect(await ownedOf(doomed.id)).toEqual({});
  expect((await slipway.api("GET", `clusters/${doomed.id}`)).status).toBe(404);
  const { body: hosts } = await slipway.admin("GET", "hosts?limit=100");
  expect(hosts.items.map(({ status }: Wire) => status.state)).toEqual(
    Array(24).fill("HOST_STATE_AVAILABLE"),
  );
});

it.each(Object.keys(moments))("an order survives a kill -9 %s", async (moment) => {
  await stage[moment]?.();
  const survivor = await order(moment.replaceAll(/[^a-z]+/g, "-"));
  await moments[moment]?.(survivor);
  await killAndRestart();
  await slipway.sim("DELETE", "faults");
  await becomesReady(survivor);
  ready.push(survivor.id);
});

it("an order that waits for capacity keeps its place over a kill -9", async () => {
  const cordon = (cordoned: boolean) =>
    Promise.all(
      slipway.dev.hubs.map(({ id }) =>
        slipway.admin("PATCH", `hubs/${id}`, { spec: { cordoned } }),
      ),
    );
  await cordon(true);
  const patient = await order("patient");
  const { operation } = patient;
  await untilStep(operation, "ReserveCapacity", ({ state }) => state === "WAITING");
  expect(await ownedOf(patient.id)).toEqual({});
  await killAndRestart();
  const { status } = await slipway.operation(operation);
  expect(stepOf({ status }, "ReserveCapacity").state).toBe("WAITING");
  await cordon(false);
  await becomesReady(patient);
  ready.push(patient.id);
});

it("a token of before the kill is still good, and its hubs answer on their ports", async () => {
  const { api, admin, ledger } = slipway;
  await killAndRestart();
  expect((await api("GET", "clusters", undefined, "tenant-b")).status).toBe(200);
  expect((await admin("GET", "hubs")).body.items).toHaveLength(2);
  expect((await ledger()).filter(({ kind }) => kind === "host")).toHaveLength(24);
});
