import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { wrongInBooks } from "../support/books.ts";
import { addServer, hostOf, metal, withMetal } from "../support/managed-hosts.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** Hot pools beside hosts that are kept for tenants. */

/** How many of the hosts are free for all and kept, as the capacity says, and how many are off. */
async function countsOf(site: Site, ids: readonly string[]): Promise<Wire> {
  const { items } = (await site.admin("GET", "capacity")).body;
  const ofType = items.find(({ host_type }: Wire) => host_type === metal);
  const { free = 0, kept = 0 } = ofType ?? {};
  const hosts = await Promise.all(ids.map((id) => hostOf(site, id)));
  const off = hosts.filter(({ status }) => /OFF|UNDISCOVERED/.test(status.state)).length;
  return { free, kept, off };
}

it("a hot pool counts no host that is kept: it discovers more for them, and rests what they give back", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  await withMetal(site);
  await site.admin("PATCH", "hubs/hub-a", { spec: { hot_pools: { [metal]: { min: 1, max: 1 } } } });
  const ids: string[] = [];
  for (let n = 1; n <= 4; n++) ids.push(await addServer(site, n));
  const until = async (free: number, kept: number, off: number) => {
    const wanted = { free, kept, off };
    let is = await countsOf(site, ids);
    // A discovery takes less than an hour.
    for (let n = 0; n < 60 && !isDeepStrictEqual(is, wanted); n++) {
      await site.laptop.pass(60_000);
      is = await countsOf(site, ids);
    }
    // And so it stays.
    await site.laptop.pass(20 * 60_000);
    expect(await countsOf(site, ids)).toEqual(wanted);
  };
  await until(1, 0, 3);
  const reserving = { metadata: { name: "r", tenant: "tenant-b" } };
  const spec = { host_type: metal, reserved: 2 };
  const { id } = (await site.admin("POST", "allocations", { ...reserving, spec })).body;
  // What it had is kept first; two more come, one of them to be free for all.
  await until(1, 2, 1);
  await site.admin("PATCH", `allocations/${id}`, { spec: { reserved: 1 } });
  await until(1, 1, 2);
  await site.admin("PATCH", `allocations/${id}`, { spec: { reserved: 4 } });
  // A pool keeps nothing back from those who wait.
  await until(0, 4, 0);
  await site.admin("DELETE", `allocations/${id}`);
  await until(1, 0, 3);
  expect(await wrongInBooks(site)).toEqual([]);
});
