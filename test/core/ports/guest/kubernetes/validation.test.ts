import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { minutes, seconds } from "../../../../../core/clock.ts";
import { guestDone } from "../../../../../core/ports/guest/guest.ts";
import { type TestGuest, testGuest, untilSettled, wordsOf } from "../../../../support/guest.ts";
import { configMap, deployment, job } from "../../../../support/guest-orders.ts";

let guest: TestGuest;

beforeEach(() => {
  guest = testGuest();
});

afterEach(() => guest.stop());

it("nodes count when they are Ready", async () => {
  guest.join("worker-1");
  await guest.clock.advance(seconds(40));
  guest.join("worker-2");
  const look = () => guest.client.observeNodes(2);
  expect(wordsOf([await look()])).toEqual([
    "nodes: 1 of 2 ready (worker-2: container runtime network not ready)",
  ]);
  await guest.clock.advance(seconds(40));
  expect(await look()).toEqual(guestDone);
  expect(wordsOf([await guest.client.observeNodes(3)])).toEqual(["nodes: 2 of 3 ready"]);
});

it("cluster operators are available when ingress is there and the console finds its name", async () => {
  const name = "console-openshift-console.apps.demo.tenant-a.example.com";
  guest.unknownNames.add(name);
  guest.join("worker-1");
  await guest.clock.advance(minutes(6));
  const look = () => guest.client.observeOperators();
  expect(wordsOf([await look()])[0]).toMatch(/^2 cluster operators \(console: .*; ingress: .*\)$/);
  await untilSettled(guest, () => guest.client.ensureIngress({ address: "10.20.0.5" }));
  await guest.clock.advance(minutes(5));
  expect(wordsOf([await look()])[0]).toMatch(/^1 cluster operators \(console: .*no such host\)$/);
  guest.unknownNames.delete(name);
  expect((await untilSettled(guest, look)).at(-1)).toEqual(guestDone);
});

it("the version counts when it is rolled out, and only that one", async () => {
  guest.join("worker-1");
  await guest.clock.advance(minutes(1));
  expect(wordsOf([await guest.client.observeVersion("4.17.9")])).toEqual([
    "version 4.17.9 to be rolled out: Working towards 4.17.9: waiting on cluster operators",
  ]);
  await guest.clock.advance(minutes(6));
  expect(await guest.client.observeVersion("4.17.9")).toEqual(guestDone);
  expect(await guest.client.observeVersion("4.18.0")).toMatchObject({ state: "pending" });
});

describe("a test workload", () => {
  const namespace = () => guest.cluster.get("Namespace", undefined, "slipway-validation");
  const passing = [
    configMap("settings"),
    job("smoke", ["sh", "-c", "true"]),
    deployment("web", "registry.example.com/web:1"),
  ];

  beforeEach(async () => {
    guest.join("worker-1");
    await guest.clock.advance(minutes(1));
  });

  it("is done when its Jobs are complete and its Deployments available, then goes", async () => {
    const said = await untilSettled(guest, () => guest.client.ensureTestWorkload(passing));
    expect(wordsOf(said)).toEqual(["test Job smoke to complete", "done"]);
    expect(guest.cluster.get("ConfigMap", "slipway-validation", "settings")).toBeDefined();
    expect(guest.cluster.list("ConfigMap", { namespace: "default" })).toEqual([]);
    expect(await guest.client.ensureTestWorkload(passing)).toEqual(guestDone);

    expect((await untilSettled(guest, () => guest.client.removeTestWorkload())).at(-1)).toEqual(
      guestDone,
    );
    expect(namespace()).toBeUndefined();
    expect(guest.cluster.list("Pod")).toEqual([]);
    expect(await guest.client.removeTestWorkload()).toEqual(guestDone);
  });

  it("that fails is failed, with the last words of its pod", async () => {
    const failing = [job("smoke", ["gpu-check", "fail"])];
    const said = await untilSettled(guest, () => guest.client.ensureTestWorkload(failing));
    expect(said.at(-1)).toEqual({
      state: "failed",
      message:
        "test Job smoke failed: Job has reached the specified backoff limit: exit code 1, gpu-check fail: told to fail",
    });
    expect(await guest.client.removeTestWorkload()).toEqual(guestDone);
  });

  it("whose first try fails is still waited for, with what it said", async () => {
    const failing = [job("smoke", ["gpu-check", "fail"])];
    const said = await untilSettled(guest, () => guest.client.ensureTestWorkload(failing));
    expect(wordsOf(said)).toContain(
      "test Job smoke to complete: exit code 1, gpu-check fail: told to fail",
    );
  });

  it("that never comes up is failed when its Deployment gives up", async () => {
    const stuck = [
      deployment("web", "registry.example.com/fail:1", { progressDeadlineSeconds: 60 }),
    ];
    const said = await untilSettled(guest, () => guest.client.ensureTestWorkload(stuck));
    expect(wordsOf(said)).toEqual([
      "test Deployment web to be available",
      "test Deployment web to be available: Deployment does not have minimum availability.",
      'test Deployment web failed: ReplicaSet "web" has timed out progressing.',
    ]);
  });
});

it("a test workload waits for a node", async () => {
  await guest.client.ensureTestWorkload([job("smoke", ["true"])]);
  await guest.clock.advance(minutes(2));
  const look = () => guest.client.ensureTestWorkload([job("smoke", ["true"])]);
  expect(wordsOf([await look()])).toEqual([
    "test Job smoke to complete: no nodes available to schedule pods",
  ]);
  guest.join("worker-1");
  expect((await untilSettled(guest, look)).at(-1)).toEqual(guestDone);
});
