import { afterEach, beforeEach, expect, it } from "vitest";
import { minutes, systemClock } from "../../../../core/clock.ts";
import { guestDirectory } from "../../../../core/ports/guest/directory.ts";
import {
  type GuestObservation,
  type Guests,
  guestDone,
} from "../../../../core/ports/guest/guest.ts";
import type { Hubs } from "../../../../core/ports/hub/hub.ts";
import { KubernetesHub } from "../../../../core/ports/hub/kubernetes-hub.ts";
import { parseKubeconfig } from "../../../../core/ports/kubernetes/kubeconfig.ts";
import type { Order } from "../../../support/deployment.ts";
import { untilSettled, wordsOf } from "../../../support/guest.ts";
import { job, operatorRequest, rbdStorage } from "../../../support/guest-orders.ts";
import {
  advanceUntil,
  applyAll,
  isReady,
  orderOf,
  type TestWorld,
  testWorld,
} from "../../../support/sim-world.ts";

let simulated: TestWorld;
let order: Order;
let hub: KubernetesHub;
let guests: Guests;
const unknownNames = new Set<string>();

beforeEach(async () => {
  unknownNames.clear();
  simulated = await testWorld({ resolves: (name) => !unknownNames.has(name) });
  order = orderOf(simulated.cluster);
  const { fetch } = simulated.world;
  const connection = parseKubeconfig(simulated.hub.kubeconfig ?? "");
  hub = new KubernetesHub({ connection, wall: systemClock, fetch });
  const hubs: Hubs = { client: () => Promise.resolve(hub) };
  guests = guestDirectory({ hubs, wall: systemClock, fetch });
});

afterEach(async () => {
  await hub.close();
  await simulated.world.stop();
  simulated.database.close();
});

const look = (ask: Parameters<Guests["reach"]>[2]) => () =>
  guests.reach("hub-a", order, ask) as Promise<GuestObservation>;

it("a hosted cluster without a kubeconfig cannot be asked yet", async () => {
  expect(await look((guest) => guest.observeNodes(1))()).toBeUndefined();
});

it("an ordered cluster from its nodes to everything available, in the order of the saga", async () => {
  const console = "console-openshift-console.apps.demo.tenant-a.example.com";
  unknownNames.add(console);
  applyAll(simulated.cluster, order);
  await advanceUntil(simulated.clock, () => isReady(simulated.cluster, order));

  const steps = [
    look((guest) => guest.ensureStorageClass(rbdStorage())),
    look((guest) => guest.ensureIngress({ address: "10.20.0.5" })),
    look((guest) => guest.ensureIngressCertificate({ chain: "chain", key: "key" })),
    look((guest) => guest.ensureOperator(operatorRequest())),
    look((guest) => guest.observeNodes(2)),
    look((guest) => guest.observeVersion("4.17.9")),
  ];
  for (const step of steps) {
    expect((await untilSettled(simulated, step)).at(-1)).toEqual(guestDone);
  }
  const operators = look((guest) => guest.observeOperators());
  await simulated.clock.advance(minutes(5));
  expect(wordsOf([await operators()])[0]).toMatch(/^1 cluster operators \(console/);
  unknownNames.delete(console);
  expect((await untilSettled(simulated, operators)).at(-1)).toEqual(guestDone);

  const workload = [job("smoke", ["true"])];
  const run = look((guest) => guest.ensureTestWorkload(workload));
  expect((await untilSettled(simulated, run)).at(-1)).toEqual(guestDone);
  expect(await look((guest) => guest.removeTestWorkload())()).toEqual(guestDone);
});

it("with the cluster everything in it is gone, and nothing is left to wait for", async () => {
  applyAll(simulated.cluster, order);
  await advanceUntil(simulated.clock, () => isReady(simulated.cluster, order));
  await look((guest) => guest.ensureIngress({ address: "10.20.0.5" }))();
  await hub.clusters.removeHostedCluster(order);
  await simulated.clock.advance(minutes(30));
  expect(simulated.hub.hosted.list()).toEqual([]);
  const rows = simulated.database
    .prepare("SELECT count(*) AS n FROM kube_objects WHERE cluster LIKE '%/%'")
    .get();
  expect(rows?.n).toBe(0);
  expect(simulated.clock.pending).toBe(0);
});
