import { expect, it } from "vitest";
import { claimQueued } from "../../core/at-site/claim.ts";
import { numbersOf } from "../../core/at-site/pools.ts";
import type { Site } from "../../core/at-site/site.ts";
import { asHubId, type OperationId } from "../../core/id.ts";
import { changeObject } from "../../core/kernel/events/rewrite.ts";
import { templateRevisionKey } from "../../core/kernel/object/keys.ts";
import { mustLoad, putNew } from "../../core/kernel/object/records.ts";
import type { StepContext } from "../../core/kernel/saga/context.ts";
import { settle } from "../../core/kernel/saga/settle.ts";
import type { Store } from "../../core/kernel/store/store.ts";
import { hostQueue, numbersQueue } from "../../core/placement/queues/tickets.ts";
import type { GuestClient, GuestObservation } from "../../core/ports/guest/guest.ts";
import type { Storage } from "../../core/ports/storage/storage.ts";
import type { Cluster } from "../../core/resources/cluster/model.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { clusterCreate } from "../../statemachines/cluster.ts";
import { reserveCapacity } from "../../statemachines/steps/capacity/reserve.ts";
import { wantedCapacity } from "../../statemachines/steps/cluster/capacity.ts";
import { configureCluster } from "../../statemachines/steps/cluster/configure.ts";
import { forget } from "../../statemachines/steps/cluster/guest.ts";
import { validating } from "../../statemachines/steps/cluster/validate.ts";
import { allocateStorage } from "../../statemachines/steps/site/storage.ts";
import { attemptAt } from "../support/attempt.ts";
import { type TestDeps, testDeps } from "../support/deps.ts";
import { holderOf } from "../support/holders.ts";
import {
  addHosts,
  addHub,
  addOrder,
  giveAllBack,
  hostsNamed,
  type Order,
  placementOf,
  reserveFor,
} from "../support/placement.ts";
import { ticketsIn } from "../support/waiting.ts";

/**
 * Two attempts at one step of a cluster, of which the slower one goes on when the other has ended: it
 * leaves nothing behind.
 */

/** A store in which somebody is faster, just before the n-th transaction from when that is said. */
function overtaking(store: Store) {
  let left = 0;
  let meanwhile: () => Promise<unknown> = async () => {};
  return {
    store: {
      ...{ get: store.get.bind(store), getMany: store.getMany.bind(store) },
      ...{ query: store.query.bind(store), count: store.count.bind(store) },
      async transact(writes) {
        left -= 1;
        if (left === 0) await meanwhile();
        return store.transact(writes);
      },
    } satisfies Store,
    before(transaction: number, work: () => Promise<unknown>) {
      left = transaction;
      meanwhile = work;
    },
  };
}

/** An attempt whose calls of the store can be overtaken. The target of these operations is a cluster. */
async function slowAttempt(deps: TestDeps, operation: OperationId, step: string) {
  const { store, before } = overtaking(deps.store);
  const context = await attemptAt({ ...deps, store }, operation, step);
  return { context: context as StepContext<Cluster>, before };
}

const attempt = async (deps: TestDeps, operation: OperationId, step: string) =>
  (await attemptAt(deps, operation, step)) as StepContext<Cluster>;

const clusterOf = (deps: TestDeps, { cluster }: Order): Promise<Cluster> =>
  mustLoad(deps, "cluster", cluster);

/** Two hosts, which a first order holds, and a second order in its place. */
async function twoForTwoHosts() {
  const deps = testDeps();
  await addHub(deps, "hub");
  await addHosts(deps, "hub", "small", hostsNamed("s", 2));
  const first = await addOrder(deps, "first", { small: 2 });
  await reserveFor(deps, first);
  await deps.clock.advance(1);
  return { deps, first, second: await addOrder(deps, "second", { small: 2 }) };
}

it("an attempt that found no hosts takes no place in line once another has reserved them", {
  tags: "smoke",
}, async () => {
  const { deps, first, second } = await twoForTwoHosts();
  const reserving = reserveCapacity(wantedCapacity);
  const cluster = await clusterOf(deps, second);
  const slow = await slowAttempt(deps, second.operation, "ReserveCapacity");
  slow.before(1, async () => {
    await giveAllBack(deps, first);
    await reserving(cluster, await attempt(deps, second.operation, "ReserveCapacity"));
  });
  await expect(reserving(cluster, slow.context)).rejects.toMatchObject({ kind: "Cancelled" });
  expect(await placementOf(deps, second)).toBeDefined();
  expect(await ticketsIn(deps, hostQueue("small"))).toBe(0);
  // So nobody is told to wait behind an order that waits for nothing.
  await addHosts(deps, "hub", "small", ["t-00001"]);
  const third = await addOrder(deps, "third", { small: 1 });
  expect(await reserveFor(deps, third)).toMatchObject({ placed: true });
});

const site: Site = {
  kind: "site",
  id: "site-1",
  metadata: {
    name: "site-1",
    tenant: "shared",
    labels: {},
    annotations: {},
    creator: "test",
    creation_timestamp: "2026-01-01T00:00:00.000Z",
  },
  generation: 0,
  revision: 1,
  spec: {
    network: {
      vlans: { first: 100, last: 100 },
      prefixes: { cidr: "10.64.0.0/23", length: 24 },
      floating_ips: { first: "203.0.113.100", last: "203.0.113.103" },
      dns_servers: [],
      rest_minutes: 0,
    },
    credentials: "site/site-1",
  },
  status: { low: [] },
  event: { type: "", sequence: 0, time: "2026-01-01T00:00:00.000Z", changed: [] },
};

it("an attempt that found no number takes no place in line once another has claimed it", async () => {
  const deps = testDeps();
  await deps.store.transact(putNew(kinds, site));
  const numbers = numbersOf(deps, site);
  if (!numbers) throw new Error("the site has no network");
  const pool = numbers.pools.vlans;
  const claim = ({ cluster }: Order, { deps: own, operation, step, fence }: StepContext<Cluster>) =>
    claimQueued(own, {
      ...{ site, numbers, use: "vlans", count: 1, operation, step },
      holder: holderOf("cluster", cluster),
      fence: fence(),
    });
  const orders: Order[] = [];
  for (const name of ["first", "second", "third"]) {
    orders.push(await addOrder(deps, name, { small: 1 }));
    await deps.clock.advance(1);
  }
  const [first, second, third] = orders as [Order, Order, Order];
  const giveBack = ({ cluster }: Order) => numbers.ipam.release(pool, holderOf("cluster", cluster));
  expect(await claim(first, await attempt(deps, first.operation, "Claim"))).toEqual([100]);
  const slow = await slowAttempt(deps, second.operation, "Claim");
  slow.before(1, async () => {
    await giveBack(first);
    expect(await claim(second, await attempt(deps, second.operation, "Claim"))).toEqual([100]);
  });
  await expect(claim(second, slow.context)).rejects.toMatchObject({ kind: "Cancelled" });
  expect(await ticketsIn(deps, numbersQueue(pool.name))).toBe(0);
  await giveBack(second);
  expect(await claim(third, await attempt(deps, third.operation, "Claim"))).toEqual([100]);
});

/** A control plane that runs its version; the hub has removed it since, which is of no interest here. */
const completed: Cluster["observed"]["control_plane"] = {
  ...{ uid: "1", resource_version: "1", at: "2026-01-01T00:00:00.000Z", gone: true },
  ...{ available: true, degraded: false, message: "", version_completed: true },
};

/** An order with a place, whose template has nothing but what is given. */
async function placedOrder(content: object) {
  const deps = testDeps();
  deps.sites.systems = async () => ({ site });
  const order = await addOrder(deps, "one", { small: 1 });
  await deps.store.transact([{ put: { ...templateRevisionKey("t", 1), spec: { ...content } } }]);
  const placement = {
    ...{ hub: asHubId("hub"), at: "2026-01-01T00:00:00.000Z", reason: "", rejected: [] },
    hosts: {},
  };
  await changeObject(deps, "cluster", order.cluster, (cluster) => ({
    ...cluster,
    placement,
    site: { id: "site-1", parts: {} },
  }));
  return { deps, order };
}

it("an attempt that begins with a part says nothing of it once another has made it and the step has ended", async () => {
  const { deps, order } = await placedOrder({});
  const storage = { ensure: async () => {}, observe: async () => ({ state: "done" }) };
  // The step calls no more of it.
  deps.sites.systems = async () => ({ site, storage: storage as unknown as Storage });
  const step = "AllocateStorage";
  const allocating = allocateStorage<Cluster>(async () => ({ reclaimPolicy: "Delete" }));
  const cluster = await clusterOf(deps, order);
  const slow = await slowAttempt(deps, order.operation, step);
  slow.before(1, async () => {
    await allocating(cluster, await attempt(deps, order.operation, step));
    await settle(deps, clusterCreate, order.operation, step);
  });
  await expect(allocating(cluster, slow.context)).rejects.toMatchObject({ kind: "Cancelled" });
  expect((await clusterOf(deps, order)).site?.parts.storage).toMatchObject({ state: "done" });
});

it("a failure that an attempt saw in the guest does not count once another begins anew", async () => {
  const { deps, order } = await placedOrder({ manifests: [] });
  const step = "ConfigureCluster";
  let meanwhile: (() => Promise<void>) | undefined = async () => {
    await forget("configuration")(cluster, await attempt(deps, order.operation, step));
  };
  const guest: Partial<GuestClient> = {
    async ensureManifests() {
      const late = meanwhile;
      meanwhile = undefined;
      await late?.();
      return late ? { state: "failed", message: "of an earlier try" } : { state: "done" };
    },
  };
  deps.guests.reach = (_, __, work) => work(guest as GuestClient);
  const cluster = await clusterOf(deps, order);
  const slow = await attempt(deps, order.operation, step);
  await expect(configureCluster(cluster, slow)).rejects.toMatchObject({ kind: "Cancelled" });
  expect((await clusterOf(deps, order)).observed).not.toHaveProperty("configuration");
});

it("an attempt that has seen no test runs none once another has passed it", async () => {
  const { deps, order } = await placedOrder({
    validation: { workload: [], timeout_minutes: 10 },
  });
  deps.hubClients.set("hub", {
    clusters: {
      read: async () => [],
      readOperators: async () => ({ total: 1, unavailable: [], at: "2026-01-01T00:00:00.000Z" }),
    },
  });
  const calls: string[] = [];
  const seen = async (): Promise<GuestObservation> => ({ state: "done" });
  const noting = (call: string) => async () => {
    calls.push(call);
    return seen();
  };
  const guest: Partial<GuestClient> = {
    observeNodes: seen,
    observeVersion: seen,
    ensureTestWorkload: noting("run"),
    removeTestWorkload: noting("remove"),
  };
  deps.guests.reach = (_, __, work) => work(guest as GuestClient);
  await changeObject(deps, "cluster", order.cluster, (cluster) => ({
    ...cluster,
    observed: { ...cluster.observed, control_plane: completed },
  }));
  const step = "ValidateCluster";
  const { look = async () => {} } = validating(60_000);
  const cluster = await clusterOf(deps, order);
  const slow = await slowAttempt(deps, order.operation, step);
  // The first is that of the operators' list.
  slow.before(2, async () => {
    await look(cluster, await attempt(deps, order.operation, step));
    await settle(deps, clusterCreate, order.operation, step);
  });
  await expect(look(cluster, slow.context)).rejects.toMatchObject({ kind: "Cancelled" });
  expect(calls).toEqual(["run", "remove"]);
  const { observed } = await clusterOf(deps, order);
  expect(observed).toMatchObject({ test: { passed: true }, validation: { state: "done" } });
});
