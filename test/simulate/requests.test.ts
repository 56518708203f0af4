import { expect, it, onTestFinished } from "vitest";
import { minutes } from "../../core/clock.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import { wrongHosts } from "../../simulate/hosts.ts";
import type { Arrival } from "../../simulate/plan.ts";
import { Requests } from "../../simulate/requests.ts";
import { openSystem } from "../../simulate/system.ts";
import type { Wire } from "../support/site.ts";

/** An arrival whose draw takes a host of the order's cluster, if that has one. */
const arrival: Arrival = { at: 0, order: 0, draw: 3, what: "host", change: "maintain" };

async function open() {
  const size = { sites: 1, hubsAtSite: 1, hostsAtHub: { fc430: 5 } };
  const system = await openSystem({ seed: 1, faults: 0, size });
  onTestFinished(() => system.stop());
  const requests = new Requests(system);
  const hosts = async (): Promise<Wire[]> => (await system.administer("GET", "hosts")).body.items;
  const inMaintenance = async () => (await hosts()).filter(({ status }) => status.maintenance);
  return { system, requests, inMaintenance, wrong: () => wrongHosts(system.slipway, true) };
}

it("a host of the order's cluster is replaced in it, and comes back", async () => {
  const { system, requests, inMaintenance, wrong } = await open();
  await requests.order(arrival, "tenant-a");
  await system.clock.advance(minutes(60));
  const { id = "" } = requests.clusters.get(0) ?? {};
  const heldBy = async () =>
    Object.values(
      (await mustLoad(system.slipway.deps, "cluster", id)).placement?.hosts ?? {},
    ).flat();
  const before = await heldBy();
  await requests.host(arrival, "maintain");
  const [taken] = await inMaintenance();
  expect(before).toContain(taken.id);
  expect(await wrong()).toContainEqual(expect.stringContaining("in maintenance still"));
  await system.clock.advance(minutes(60));
  const after = await heldBy();
  expect(after).toHaveLength(before.length);
  expect(after).not.toContain(taken.id);
  await requests.host(arrival, "release");
  expect(await inMaintenance()).toEqual([]);
  expect(requests.accepted).toEqual({ order: 1, "maintain a host": 1, "release a host": 1 });
  await requests.host(arrival, "release");
  expect(requests.accepted["release a host"]).toBe(1);
});

it("any host goes into maintenance where the order has none, and all are brought back at the end", async () => {
  const { system, requests, inMaintenance, wrong } = await open();
  await requests.host(arrival, "maintain");
  await requests.host({ ...arrival, order: 1, draw: 4 }, "maintain");
  expect((await inMaintenance()).length).toBeGreaterThan(0);
  await requests.bringBack();
  expect(await inMaintenance()).toEqual([]);
  await system.clock.advance(minutes(10));
  expect(await wrong()).toEqual([]);
});
