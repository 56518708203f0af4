import { afterEach, beforeEach, expect, it } from "vitest";
import { minutes, seconds } from "../../../core/clock.ts";
import { operatorObjects } from "../../../core/ports/guest/kubernetes/objects.ts";
import type { KubeInput } from "../../../sim/kubernetes/cluster.ts";
import { type TestGuest, testGuest } from "../../support/guest.ts";
import { operatorRequest } from "../../support/guest-orders.ts";
import { condition } from "../../support/sim-world.ts";

let guest: TestGuest;

beforeEach(() => {
  guest = testGuest();
});

afterEach(() => guest.stop());

const namespace = "openshift-nfd";
const version = "nfd.4.17.0-202501081511";

function subscribe(without = ""): void {
  for (const object of operatorObjects(operatorRequest())) {
    if (object.kind !== without) guest.cluster.create(object as KubeInput);
  }
}

const subscription = () => guest.cluster.get("Subscription", namespace, "nfd");
const phase = () =>
  (guest.cluster.get("ClusterServiceVersion", namespace, version)?.status as { phase?: string })
    ?.phase;

it("a Subscription becomes a plan, definitions and a running version", async () => {
  guest.join("worker-1");
  await guest.clock.advance(minutes(1));
  subscribe();
  await guest.clock.advance(seconds(16));
  expect(subscription()?.status).toMatchObject({ state: "UpgradePending", currentCSV: version });
  expect(guest.cluster.list("CustomResourceDefinition")).toEqual([]);
  await guest.clock.advance(seconds(20));
  expect(
    guest.cluster.list("CustomResourceDefinition").map(({ metadata }) => metadata.name),
  ).toEqual(["nodefeaturediscoveries.nfd.openshift.io"]);
  expect(subscription()?.status).toMatchObject({ state: "AtLatestKnown", installedCSV: version });
  expect(phase()).toBe("Installing");
  await guest.clock.advance(seconds(45));
  expect(phase()).toBe("Succeeded");
  expect(guest.clock.pending).toBeLessThan(3);
});

it("without an OperatorGroup nothing is installed, and the Subscription says why", async () => {
  guest.join("worker-1");
  subscribe("OperatorGroup");
  await guest.clock.advance(minutes(10));
  expect(phase()).toBeUndefined();
  expect(condition(subscription(), "InstallPlanPending")).toMatchObject({
    status: "True",
    message: "no operator group found that is managing this namespace",
  });
});

it("an operator runs on workers: without one its version waits", async () => {
  subscribe();
  await guest.clock.advance(minutes(30));
  expect(phase()).toBe("Installing");
  guest.join("worker-1");
  await guest.clock.advance(minutes(2));
  expect(phase()).toBe("Succeeded");
});

it("a cluster that is opened again at any moment comes to the same end", async () => {
  guest.join("worker-1");
  subscribe();
  for (let opened = 0; opened < 30; opened += 1) {
    await guest.clock.advance(seconds(7));
    await guest.client.close();
    guest = guest.reopen();
  }
  expect(phase()).toBe("Succeeded");
  expect(guest.cluster.list("InstallPlan")).toHaveLength(1);
});
