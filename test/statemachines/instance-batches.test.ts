import { expect, it } from "vitest";
import { wrongInBooks } from "../support/books.ts";
import { orderBatch, orderServer, serverOf, siteWithServers } from "../support/instances.ts";
import { untilHost } from "../support/managed-hosts.ts";
import { atRest } from "../support/networks.ts";
import { openSite, type Site } from "../support/site.ts";

/** Servers that were ordered at once, through the API, the sagas and the simulated site. */

const states = async (site: Site, ids: string[]): Promise<string[]> =>
  (await Promise.all(ids.map((id) => serverOf(site, id)))).map(({ status }) =>
    status.state.replace("BARE_METAL_INSTANCE_STATE_", ""),
  );

const hostsOf = async (site: Site, ids: string[]): Promise<(string | undefined)[]> =>
  Promise.all(
    ids.map(async (id) => (await site.admin("GET", `baremetal_instances/${id}`)).body.status.host),
  );

const waitingOf = async (site: Site, id: string): Promise<string> =>
  (await serverOf(site, id)).status.waiting?.[0]?.message ?? "";

it("holds no host before there is one for each, and then gives all of them at once", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  const { hosts } = await siteWithServers(site, 3);
  const alone = await orderServer(site, "alone");
  await atRest(site, "baremetal_instances", alone);
  const batch = await orderBatch(site, ["a", "b", "c"]);
  const all = async (test: (words: string) => boolean) =>
    (await Promise.all(batch.map((id) => waitingOf(site, id)))).every(test);
  await site.laptop.until(
    () => all((words) => words.includes("3 hosts of type metal")),
    "all of them to wait for three hosts",
  );
  expect(await waitingOf(site, batch[1] ?? "")).toMatch(/at once, for a batch of 3$/);
  expect(await hostsOf(site, batch)).toEqual([undefined, undefined, undefined]);
  const free = hosts.map((id) => site.admin("GET", `hosts/${id}`));
  const lying = (await Promise.all(free)).map(({ body }) => body.status.state);
  expect(lying.toSorted()).toEqual([
    "HOST_STATE_AVAILABLE",
    "HOST_STATE_AVAILABLE",
    "HOST_STATE_RESERVED",
  ]);

  await site.api("DELETE", `baremetal_instances/${alone}`);
  for (const id of batch) await atRest(site, "baremetal_instances", id);
  expect(await states(site, batch)).toEqual(["RUNNING", "RUNNING", "RUNNING"]);
  expect(new Set(await hostsOf(site, batch))).toEqual(new Set(hosts));
  const { status } = await serverOf(site, batch[0] ?? "");
  expect(status.batch).toEqual({ id: expect.any(String), size: 3 });
  expect(await wrongInBooks(site)).toEqual([]);
});

it("asks for fewer once one of them is deleted, the one that asks for all included", async () => {
  const site = await openSite();
  const { hosts: all } = await siteWithServers(site, 4);
  const [hosts, out] = [all.slice(0, 2), all.slice(2)];
  for (const id of out) expect((await site.admin("POST", `hosts/${id}/maintain`)).status).toBe(200);
  const batch = await orderBatch(site, ["a", "b", "c", "d"]);
  const [first = "", second = "", ...left] = batch;
  await site.laptop.until(
    async () => (await waitingOf(site, second)).includes("4 hosts of type metal"),
    "four to be asked for",
  );
  await site.api("DELETE", `baremetal_instances/${second}`);
  await site.api("DELETE", `baremetal_instances/${first}`);
  for (const id of left) await atRest(site, "baremetal_instances", id);
  expect(await states(site, left)).toEqual(["RUNNING", "RUNNING"]);
  expect(new Set(await hostsOf(site, left))).toEqual(new Set(hosts));
  expect(await wrongInBooks(site)).toEqual([]);
  for (const id of left) await site.api("DELETE", `baremetal_instances/${id}`);
  for (const id of hosts) await untilHost(site, id, "AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("waits for a rack that has a host for each, and for others takes one of each rack", async () => {
  const site = await openSite();
  const { hosts } = await siteWithServers(site, 4);
  const racks = ["r1", "r1", "r2", "r3"];
  for (const [n, id] of hosts.entries()) {
    const { status } = await site.admin("PATCH", `hosts/${id}`, { spec: { rack: racks[n] } });
    expect(status).toBe(200);
  }
  const spread = await orderBatch(site, ["a", "b", "c"], { racks: "spread" });
  for (const id of spread) await atRest(site, "baremetal_instances", id);
  const held = await hostsOf(site, spread);
  expect(new Set(held.map((host) => racks[hosts.indexOf(host ?? "")]))).toEqual(new Set(racks));
  const same = await orderBatch(site, ["d", "e"], { racks: "same" });
  await site.laptop.until(
    async () => (await waitingOf(site, same[1] ?? "")).includes("no rack has 2 metal hosts free"),
    "it to say that no rack has two",
  );
  // One that asks for no rack passes those that wait for one.
  const alone = await orderServer(site, "alone");
  await atRest(site, "baremetal_instances", alone);
  expect(await states(site, [alone])).toEqual(["RUNNING"]);
  for (const id of [...spread, alone]) await site.api("DELETE", `baremetal_instances/${id}`);
  for (const id of same) await atRest(site, "baremetal_instances", id);
  const together = await hostsOf(site, same);
  expect(together.map((host) => racks[hosts.indexOf(host ?? "")])).toEqual(["r1", "r1"]);
  expect((await serverOf(site, same[0] ?? "")).status.batch.racks).toBe("same");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("of two batches that meet, one has all that it asks for and the other nothing yet", async () => {
  const site = await openSite();
  await siteWithServers(site, 3);
  const [one = [], other = []] = await Promise.all([
    orderBatch(site, ["a", "b"]),
    orderBatch(site, ["c", "d"]),
  ]);
  const isWhole = async (ids: string[]) => (await states(site, ids)).every((s) => s === "RUNNING");
  await site.laptop.until(
    async () => (await isWhole(one)) || (await isWhole(other)),
    "one of the batches to run",
  );
  const [served, waits] = (await isWhole(one)) ? [one, other] : [other, one];
  expect(await hostsOf(site, waits)).toEqual([undefined, undefined]);
  for (const id of served) await site.api("DELETE", `baremetal_instances/${id}`);
  await site.laptop.until(() => isWhole(waits), "the other batch to run");
  expect(await wrongInBooks(site)).toEqual([]);
});
