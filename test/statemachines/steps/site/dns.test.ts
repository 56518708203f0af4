import { describe, expect, it } from "vitest";
import type { Site } from "../../../../core/at-site/site.ts";
import { asHubId } from "../../../../core/id.ts";
import type { Deps } from "../../../../core/kernel/deps.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { domainKey } from "../../../../core/kernel/object/keys.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import type { StepContext, StepDeps } from "../../../../core/kernel/saga/context.ts";
import { newEntry } from "../../../../core/kernel/saga/entry.ts";
import type { Operation } from "../../../../core/kernel/saga/operation.ts";
import type { Dns } from "../../../../core/ports/dns/dns.ts";
import type { Cluster } from "../../../../core/resources/cluster/model.ts";
import { clusterNames } from "../../../../statemachines/steps/cluster/at-site.ts";
import { createDnsRecords, removeDnsRecords } from "../../../../statemachines/steps/site/dns.ts";
import { attemptAt } from "../../../support/attempt.ts";
import { testDeps } from "../../../support/deps.ts";
import { interrupted } from "../../../support/interrupted-store.ts";
import { addHub, type Order, startOrder } from "../../../support/placement.ts";

/** A domain is claimed before its records are made, and given back after they are removed. */

const step = "CreateDnsRecords";
const domain = "one.tenant-a.example.com";
const claimKey = domainKey(domain);

const network = {
  ...{ number: 1, prefix: "10.64.1.0/24", gateway: "10.64.1.1", dns_servers: [] },
  range: { first: "10.64.1.10", last: "10.64.1.250" },
  ...{ api: "10.64.1.2", ingress: "10.64.1.3" },
};
const floating_ips = { api: "203.0.113.1", ingress: "203.0.113.2" };

/** A cluster with addresses, at a site whose DNS notes what it is asked. */
async function atSite() {
  const asked: string[] = [];
  const dns = {
    ensure: async () => void asked.push("ensure"),
    remove: async () => void asked.push("remove"),
  } as Partial<Dns> as Dns;
  // The steps read no more of a site than that it is there.
  const site = { id: "site-1" } as Site;
  const deps = testDeps({ sites: { systems: async () => ({ site, dns }) } });
  await addHub(deps, "hub", { site: "site-1" });
  const order = await startOrder(deps, "one", { small: 1 });
  await changeObject(deps, "cluster", order.cluster, (cluster) => ({
    ...cluster,
    placement: { hub: asHubId("hub"), at: "", reason: "", rejected: [], hosts: {} },
    site: { id: "site-1", network, floating_ips, parts: {} },
  }));
  return { deps, order, asked };
}

const clusterOf = (deps: Deps, { cluster }: Order): Promise<Cluster> =>
  mustLoad(deps, "cluster", cluster);

/** In an attempt whose store is another from now on. */
async function create(deps: StepDeps, order: Order, store = deps.store): Promise<void> {
  const context = await attemptAt(deps, order.operation, step);
  const there = { ...context, deps: { ...deps, store } } as StepContext<Cluster>;
  await createDnsRecords(clusterNames)(await clusterOf(deps, order), there);
}

it("a cluster claims its domain, and then makes its records", async () => {
  const { deps, order, asked } = await atSite();
  await create(deps, order);
  expect(asked).toEqual(["ensure"]);
  expect(await deps.store.get(claimKey)).toEqual({ ...claimKey, owner: "one" });
  expect((await clusterOf(deps, order)).site?.domain).toBe(domain);
});

it("a domain that another cluster has is refused, and stays with that one", async () => {
  const { deps, order, asked } = await atSite();
  await deps.store.transact([{ put: { ...claimKey, owner: "two" } }]);
  await expect(create(deps, order)).rejects.toMatchObject({
    kind: "Rejected",
    message: `another cluster has the name ${domain}`,
  });
  expect(asked).toEqual([]);
  expect(await deps.store.get(claimKey)).toMatchObject({ owner: "two" });
  expect((await clusterOf(deps, order)).site?.domain).toBeUndefined();
});

it("a domain that another cluster claims at the same time is that one's", async () => {
  const { deps, order, asked } = await atSite();
  const store = interrupted(deps.store, () =>
    deps.store.transact([{ put: { ...claimKey, owner: "two" } }]),
  );
  await expect(create(deps, order, store)).rejects.toMatchObject({ kind: "Rejected" });
  expect(asked).toEqual([]);
  expect(await deps.store.get(claimKey)).toMatchObject({ owner: "two" });
});

describe("an order that is stopped between the read and the claim claims nothing", () => {
  const stops: [string, (operation: Operation) => Operation][] = [
    ["cancelled", (each) => ({ ...each, cancel: { at: "", by: "alice", preempted: false } })],
    ["deleted", (each) => ({ ...each, cancel: { at: "", by: "alice", preempted: true } })],
    ["turned back", (each) => ({ ...each, unwinding: true })],
    ["overtaken", (each) => ({ ...each, steps: { [step]: { ...newEntry(0), attempt: "new" } } })],
  ];

  it.each(stops)("%s", async (_, stop) => {
    const { deps, order, asked } = await atSite();
    const store = interrupted(deps.store, () =>
      changeObject(deps, "operation", order.operation, stop),
    );
    await expect(create(deps, order, store)).rejects.toMatchObject({ kind: "Cancelled" });
    expect(asked).toEqual([]);
    expect(await deps.store.get(claimKey)).toBeUndefined();
    expect((await clusterOf(deps, order)).site?.domain).toBeUndefined();
  });
});

it("a cluster removes its records, and then gives its domain back", async () => {
  const { deps, order, asked } = await atSite();
  await create(deps, order);
  const context = (await attemptAt(deps, order.operation, step)) as StepContext<Cluster>;
  const remove = removeDnsRecords(clusterNames);
  const { revision, site } = await clusterOf(deps, order);
  expect(site?.parts.dns_records).toMatchObject({ state: "pending" });
  await remove(await clusterOf(deps, order), context);
  expect(asked).toEqual(["ensure", "remove"]);
  // One write gives the domain back and says that the records are gone.
  expect((await clusterOf(deps, order)).revision).toBe(revision + 1);
  expect(await deps.store.get(claimKey)).toBeUndefined();
  expect((await clusterOf(deps, order)).site).toMatchObject({ parts: {} });
  await remove(await clusterOf(deps, order), context);
  expect(asked).toHaveLength(2);
});

it("a domain that another cluster has by now is not given back", async () => {
  const { deps, order } = await atSite();
  await create(deps, order);
  await deps.store.transact([{ put: { ...claimKey, owner: "two" } }]);
  const context = (await attemptAt(deps, order.operation, step)) as StepContext<Cluster>;
  await expect(
    removeDnsRecords(clusterNames)(await clusterOf(deps, order), context),
  ).rejects.toMatchObject({ kind: "Conflict" });
  expect(await deps.store.get(claimKey)).toMatchObject({ owner: "two" });
});
