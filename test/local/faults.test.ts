import { beforeEach, describe, expect, it } from "vitest";
import type { FaultInput } from "../../sim/faults.ts";
import { sharedDev, until } from "../support/dev-process.ts";
import type { Wire } from "../support/site.ts";

/** `POST /faults` at the real process: each fault does what design §8 says. */

const slipway = sharedDev({ speed: 1000 });

beforeEach(async () => {
  await slipway().sim("DELETE", "faults");
});

async function inject(...faults: FaultInput[]): Promise<void> {
  for (const fault of faults)
    expect((await slipway().sim("POST", "faults", fault)).status).toBe(201);
}

/** How often each fault was taken. */
async function taken(): Promise<number[]> {
  const { body } = await slipway().sim("GET", "faults");
  return body.items.map((fault: Wire) => fault.taken);
}

const stepOf = (operation: Wire, name: string): Wire =>
  operation.status.steps.find((step: Wire) => step.name === name);

/** The order's end, with what it left outside; whatever is left is taken away. */
async function run(spec: object = {}) {
  const { order, ended, api, ledger, remove } = slipway();
  const { id, operation: name } = await order("faulty", spec);
  const operation = await ended(name);
  const { body: cluster } = await api("GET", `clusters/${id}`);
  const owned = (await ledger()).flatMap(({ kind, owner }) => (owner ? [kind] : []));
  await remove(id);
  expect((await ledger()).filter(({ owner }) => owner)).toEqual([]);
  return { operation, cluster, owned };
}

/** The order is READY, and nothing of it is there twice. */
async function becomesReady(): Promise<Wire> {
  const { operation, cluster, owned } = await run();
  expect(operation.status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(cluster.status.state).toBe("CLUSTER_STATE_READY");
  for (const [kind, count] of [
    ["HostedCluster", 1],
    ["NodePool", 1],
    ["Machine", 2],
    ["host", 2],
  ])
    expect([kind, owned.filter((one) => one === kind).length]).toEqual([kind, count]);
  return operation;
}

/** The order has FAILED at this step for what refused it, and gave everything back. */
async function fails(step: string, message: string): Promise<void> {
  const { operation, cluster, owned } = await run();
  expect(operation.status.state).toBe("OPERATION_STATE_FAILED");
  expect(operation.status.failure).toMatchObject({ step, kind: "Rejected" });
  expect(operation.status.failure.message).toContain(message);
  expect(cluster.status.state).toBe("CLUSTER_STATE_FAILED");
  expect(cluster.status.failure).toEqual(operation.status.failure);
  expect(owned).toEqual([]);
}

const hypershift = "PATCH /apis/hypershift.openshift.io/";

describe("of a hub", () => {
  it("error is a refusal: the order unwinds", async () => {
    await inject({ target: "hub", operation: hypershift, fault: "error" });
    await fails("DeployControlPlane", "injected");
  });

  it.each([429, 503])(
    "error with %s makes the order wait, as often as count says",
    async (status) => {
      await inject({ target: "hub", operation: hypershift, fault: "error", status, count: 3 });
      const operation = await becomesReady();
      expect((await taken())[0]).toBe(3);
      expect(stepOf(operation, "DeployControlPlane").attempts).toBeGreaterThan(3);
    },
  );

  it("a count of 0 is for good: the order waits and says why, until the fault is cleared", async () => {
    const { sim, order, operation, ended, remove } = slipway();
    await inject({ target: "hub", fault: "error", status: 503, count: 0 });
    const { id, operation: name } = await order("waiting");
    await until(async () => (await operation(name)).status.waiting_for?.includes("503"), "a wait");
    const { state } = (await operation(name)).status;
    expect(state).toBe("OPERATION_STATE_RUNNING");
    await sim("DELETE", "faults");
    expect((await ended(name)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
    await remove(id);
  });

  it.each(["crash_before", "crash_after", "conflict"] as const)(
    "%s is got over, and nothing is made twice",
    async (fault) => {
      await inject({ target: "hub", operation: hypershift, fault, count: 2 });
      await becomesReady();
      expect((await taken())[0]).toBe(2);
    },
  );

  it("timeout makes the order wait", async () => {
    await inject({ target: "hub", operation: hypershift, fault: "timeout" });
    const operation = await becomesReady();
    expect(stepOf(operation, "DeployControlPlane").attempts).toBe(2);
  });

  it("slow takes 5 simulated seconds", async () => {
    await inject({ target: "hub", operation: hypershift, fault: "slow", count: 2 });
    await becomesReady();
    expect((await taken())[0]).toBe(2);
  });

  it("hits the one that is named and no other", async () => {
    await inject(
      { target: "hub:hub-a", operation: hypershift, fault: "error", count: 0 },
      { target: "hub:hub-b", operation: hypershift, fault: "slow" },
    );
    const { operation } = await run({ placement: { region: "us-east" } });
    expect(operation.status.state).toBe("OPERATION_STATE_SUCCEEDED");
    expect((await taken()).slice(0, 2)).toEqual([0, 1]);
  });

  it("a host that fails to install fails its order", async () => {
    await inject({ target: "hub", operation: "install", fault: "error" });
    await fails("JoinNodes", "failed to install");
  });
});

describe("of the worker", () => {
  it("error is a refusal by the named step: the order unwinds", async () => {
    await inject({ target: "worker", operation: "JoinNodes", fault: "error" });
    await fails("JoinNodes", "a fault was injected");
  });

  it.each(["ReserveCapacity", "DeployControlPlane", "JoinNodes", "PublishCluster"])(
    "%s is called again after crashes before and after its effect",
    async (operation) => {
      await inject(
        { target: "worker", operation, fault: "crash_before" },
        { target: "worker", operation, fault: "crash_after" },
      );
      await becomesReady();
      expect((await taken())[0]).toBe(1);
    },
  );

  it.each([
    { fault: "timeout" },
    { fault: "conflict" },
    { fault: "error", status: 429 },
    { fault: "error", status: 500 },
  ] as const)("$fault $status is got over", async (fault) => {
    await inject({ target: "worker", operation: "JoinNodes", count: 2, ...fault });
    await becomesReady();
    expect((await taken())[0]).toBe(2);
  });

  it("slow takes 5 simulated seconds before the step", async () => {
    await inject({ target: "worker", operation: "PublishCluster", fault: "slow" });
    const operation = await becomesReady();
    const waited =
      Date.parse(stepOf(operation, "PublishCluster").start_time) -
      Date.parse(stepOf(operation, "JoinNodes").end_time);
    expect(waited).toBeGreaterThanOrEqual(5000);
  });
});

it("refuses a fault that could never happen, naming each field", async () => {
  const { sim } = slipway();
  const refused = async (fault: object) => {
    const { status, body } = await sim("POST", "faults", fault);
    expect(status).toBe(400);
    return body.errors.map(({ field }: Wire) => field);
  };
  expect(await refused({ target: "moon", fault: "eclipse" })).toEqual(["target", "fault"]);
  expect(await refused({ target: "hub", operation: "patch", fault: "error" })).toEqual([
    "operation",
  ]);
  expect(await refused({ target: "hub", fault: "error", count: -1, status: 200 })).toEqual([
    "count",
    "status",
  ]);
  expect((await sim("POST", "faults", { target: "hub:hub-x", fault: "error" })).status).toBe(404);
  for (const target of ["fabric", "dns", "storage", "bmc", "inventory"])
    expect((await sim("POST", "faults", { target, fault: "error" })).status).toBe(201);
});
