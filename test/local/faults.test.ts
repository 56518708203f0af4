import { beforeEach, describe, expect, it } from "vitest";
import type { FaultInput } from "../../sim/faults.ts";
import { operationIn, sharedDev, until } from "../support/dev-process.ts";
import type { Wire } from "../support/site.ts";

/** `POST /faults` at the real process: each fault does what docs/simulated-world.md says. */

const slipway = sharedDev({ speed: 300 });

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
const crashes = ["crash_before", "crash_after"] as const;

describe("of a hub", () => {
  it("error is a refusal: the order unwinds", async () => {
    await inject({ target: "hub", operation: hypershift, fault: "error" });
    await fails("DeployControlPlane", "injected");
  });

  it("error with 429 or 5xx makes the order wait, as often as count says", async () => {
    await inject(
      { target: "hub", operation: hypershift, fault: "error", status: 429, count: 2 },
      { target: "hub", operation: hypershift, fault: "error", status: 503 },
    );
    const operation = await becomesReady();
    expect(await taken()).toEqual([2, 1]);
    expect(stepOf(operation, "DeployControlPlane").attempts).toBe(4);
  });

  it("crashes and conflicts are got over, and nothing is made twice", async () => {
    const kinds = [...crashes, "conflict"] as const;
    await inject(...kinds.map((fault) => ({ target: "hub", operation: hypershift, fault })));
    await becomesReady();
    expect(await taken()).toEqual([1, 1, 1]);
  });

  it("of one hub hits that one and no other; slow only takes its time", async () => {
    await inject(
      { target: "hub:hub-a", operation: hypershift, fault: "error", count: 0 },
      { target: "hub:hub-b", operation: hypershift, fault: "slow" },
    );
    const { operation } = await run({ placement: { region: "us-east" } });
    expect(operation.status.state).toBe("OPERATION_STATE_SUCCEEDED");
    expect(await taken()).toEqual([0, 1]);
  });

  it.each([
    ["an outage", { fault: "error", status: 503 }],
    ["silence", { fault: "timeout" }],
  ] as const)("%s makes a deletion wait and say why, until it is over", async (what, fault) => {
    const { api, sim, order, operation, succeeded, ledger } = slipway();
    const { id, operation: creation } = await order(`outlasting-${what.replace(" ", "-")}`);
    await succeeded(creation);
    await inject({ target: "hub", count: 0, ...fault });
    const { headers } = await api("DELETE", `clusters/${id}`);
    const deletion = operationIn(headers);
    await until(async () => {
      const { waiting_for = "" } = (await operation(deletion)).status;
      return /\(503\)|does not answer|has not answered recently/.test(waiting_for);
    }, "the deletion to say that it waits for the hub");
    expect((await operation(deletion)).status.state).toBe("OPERATION_STATE_RUNNING");
    await sim("DELETE", "faults");
    await succeeded(deletion);
    expect((await ledger()).filter(({ owner }) => owner)).toEqual([]);
  });

  it("a host that fails to install fails its order", async () => {
    await inject({ target: "hub", operation: "install", fault: "error" });
    await fails("JoinNodes", "failed to install");
  });
});

describe("of the worker", () => {
  const steps = ["ReserveCapacity", "DeployControlPlane", "JoinNodes", "PublishCluster"];

  it("error is a refusal by the named step: the order unwinds", async () => {
    await inject({ target: "worker", operation: "JoinNodes", fault: "error" });
    await fails("JoinNodes", "a fault was injected");
  });

  it("each step is called again after a crash before or after its effect", async () => {
    await inject(
      ...steps.flatMap((operation) =>
        crashes.map((fault) => ({ target: "worker", operation, fault })),
      ),
    );
    await becomesReady();
    // Who has had its effect and answered is not called a second time.
    const calls = await taken();
    expect(calls.filter((_, i) => i % 2 === 0)).toEqual([1, 1, 1, 1]);
  });

  it("what can pass makes the step wait; slow takes 5 simulated seconds", async () => {
    const worker = { target: "worker", count: 2 };
    await inject(
      { ...worker, operation: "ReserveCapacity", fault: "timeout" },
      { ...worker, operation: "DeployControlPlane", fault: "conflict" },
      { ...worker, operation: "JoinNodes", fault: "error", status: 429 },
      { ...worker, operation: "PublishCluster", fault: "error", status: 500 },
      { target: "worker", operation: "PublishCluster", fault: "slow" },
    );
    const operation = await becomesReady();
    expect(await taken()).toEqual([2, 2, 2, 2, 1]);
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
