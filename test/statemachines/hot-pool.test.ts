import { expect, it } from "vitest";
import { wrongInBooks } from "../support/books.ts";
import {
  addServer,
  hostOf,
  machineOf,
  metal,
  untilHost,
  withMetal,
} from "../support/managed-hosts.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";
import { faults } from "../support/special-servers.ts";

/** The hot pool: how many servers are discovered, and when others are. */

async function poolOf(servers: number, bounds: { min: number; max: number }) {
  const site = await openSite();
  await withMetal(site);
  const { status } = await site.admin("PATCH", "hubs/hub-a", {
    spec: { hot_pools: { [metal]: bounds } },
  });
  expect(status).toBe(200);
  const ids: string[] = [];
  for (let n = 1; n <= servers; n++) ids.push(await addServer(site, n));
  return { site, ids };
}

const statesOf = async (site: Site, ids: string[]): Promise<string[]> =>
  (await Promise.all(ids.map((id) => hostOf(site, id))))
    .map(({ status }) => status.state.replace("HOST_STATE_", ""))
    .sort();

const countOf = async (site: Site, ids: string[], state: string): Promise<number> =>
  (await statesOf(site, ids)).filter((each) => each === state).length;

const untilAvailable = (site: Site, ids: string[], count: number) =>
  site.laptop.until(
    async () => (await countOf(site, ids, "AVAILABLE")) === count,
    `${count} hosts to be available`,
  );

const orderOf = (site: Site, size: number) =>
  site.order("c1", { template: { id: metal }, node_sets: { workers: { size } } });

const waitOf = async (site: Site, cluster: string): Promise<string> => {
  const { items } = (await site.api("GET", "operations")).body;
  return items.findLast(({ spec }: Wire) => spec.target.id === cluster).status.waiting_for ?? "";
};

it("keeps so many hosts discovered as its least, and leaves the others off", {
  tags: "smoke",
}, async () => {
  const { site, ids } = await poolOf(4, { min: 1, max: 2 });
  await untilAvailable(site, ids, 1);
  await site.laptop.pass(60 * 60_000);
  expect(await statesOf(site, ids)).toEqual([
    "AVAILABLE",
    "UNDISCOVERED",
    "UNDISCOVERED",
    "UNDISCOVERED",
  ]);
});

it("discovers what an order lacks, says so, and comes back within its bounds", async () => {
  const { site, ids } = await poolOf(5, { min: 1, max: 2 });
  await untilAvailable(site, ids, 1);
  const cluster = await orderOf(site, 3);
  const told = /2 of 3 hosts are being discovered, about \d+ min/;
  await site.laptop.until(
    async () => told.test(await waitOf(site, cluster)),
    "the order to say what it waits for",
  );
  expect((await site.settled(cluster)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(await countOf(site, ids, "RESERVED")).toBe(3);
  await untilAvailable(site, ids, 1);
  await site.api("DELETE", `clusters/${cluster}`);
  expect((await site.settled(cluster)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  await site.laptop.pass(3 * 60 * 60_000);
  const free = await countOf(site, ids, "AVAILABLE");
  expect(free).toBeGreaterThanOrEqual(1);
  expect(free).toBeLessThanOrEqual(2);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("discovers a host on demand where none is kept", async () => {
  const { site, ids } = await poolOf(2, { min: 0, max: 0 });
  await site.laptop.pass(30 * 60_000);
  expect(await countOf(site, ids, "UNDISCOVERED")).toBe(2);
  const cluster = await orderOf(site, 1);
  expect((await site.settled(cluster)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(await statesOf(site, ids)).toEqual(["RESERVED", "UNDISCOVERED"]);
});

it("switches off the free hosts that are too many", async () => {
  const { site, ids } = await poolOf(3, { min: 3, max: 3 });
  await untilAvailable(site, ids, 3);
  await site.admin("PATCH", "hubs/hub-a", { spec: { hot_pools: { [metal]: { min: 1, max: 1 } } } });
  await site.laptop.until(
    async () => (await countOf(site, ids, "OFF")) === 2,
    "two hosts to be switched off",
  );
  expect(await countOf(site, ids, "AVAILABLE")).toBe(1);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("switches off what is released that was set aside half-way, and that it does not need", async () => {
  const { site, ids } = await poolOf(2, { min: 2, max: 2 });
  site.world.faults.add(faults["its disk booted"]);
  const [broken = ""] = ids;
  await untilHost(site, broken, "QUARANTINED");
  await untilAvailable(site, ids, 1);
  await site.admin("PATCH", "hubs/hub-a", { spec: { hot_pools: { [metal]: { min: 1, max: 1 } } } });
  site.world.faults.clear();
  expect((await site.admin("POST", `hosts/${broken}/release`)).status).toBe(200);
  await site.laptop.pass(30 * 60_000);
  expect(machineOf(site, 1).power).toBe("Off");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("switches off what an order was to have that is cancelled", async () => {
  const { site, ids } = await poolOf(3, { min: 1, max: 1 });
  await untilAvailable(site, ids, 1);
  const off = (await Promise.all(ids.map((id) => hostOf(site, id)))).find(
    ({ status }) => status.state === "HOST_STATE_UNDISCOVERED",
  );
  expect((await site.admin("POST", `hosts/${off.id}/maintain`)).status).toBe(200);
  const cluster = await orderOf(site, 3);
  await untilAvailable(site, ids, 2);
  await site.api("DELETE", `clusters/${cluster}`);
  await site.settled(cluster);
  await site.laptop.pass(5 * 60_000);
  expect(await statesOf(site, ids)).toEqual(["AVAILABLE", "MAINTENANCE", "OFF"]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("discovers for a cluster that grows what it lacks, and not what it has", async () => {
  const { site, ids } = await poolOf(5, { min: 0, max: 0 });
  const cluster = await orderOf(site, 2);
  await site.settled(cluster);
  const grown = { spec: { node_sets: { workers: { size: 3 } } } };
  expect((await site.api("PATCH", `clusters/${cluster}`, grown)).status).toBe(200);
  expect((await site.settled(cluster)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(await statesOf(site, ids)).toEqual([
    ...["RESERVED", "RESERVED", "RESERVED"],
    ...["UNDISCOVERED", "UNDISCOVERED"],
  ]);
});

it.each([
  // It was started three times, and is set aside for a person to look at.
  [
    "whose power does not come",
    { operation: "power", fault: "hold" },
    "QUARANTINED",
    "QUARANTINED",
  ],
  ["whose controller is silent", { fault: "timeout", count: 0 }, "DISCOVERING", "OFF"],
] as const)("discovers another server in the place of one %s", async (_, fault, late, end) => {
  const { site, ids } = await poolOf(2, { min: 1, max: 1 });
  await site.laptop.until(
    async () => (await countOf(site, ids, "DISCOVERING")) === 1,
    "a server to be discovered",
  );
  const hosts = await Promise.all(ids.map((id) => hostOf(site, id)));
  const { metadata } = hosts.find(({ status }) => status.state === "HOST_STATE_DISCOVERING");
  site.world.faults.add({ target: `bmc:${metadata.name}`, ...fault });
  await site.laptop.pass(60 * 60_000);
  expect(await statesOf(site, ids)).toEqual(["AVAILABLE", late]);
  site.world.faults.clear();
  await site.laptop.until(
    async () => (await statesOf(site, ids)).join() === `AVAILABLE,${end}`,
    "the late one to be too many",
  );
  expect(await wrongInBooks(site)).toEqual([]);
});
