import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { wrongInBooks } from "../support/books.ts";
import { orderServer, serverOf, siteWithServers } from "../support/instances.ts";
import { hostOf, metal } from "../support/managed-hosts.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";
import { terminalAt } from "../support/terminal.ts";

/** Servers that are reserved for tenants. */

const allocation = async (site: Site, id: string): Promise<Wire> =>
  (await site.admin("GET", `allocations/${id}`)).body;

async function reserve(site: Site, tenant: string, spec: object): Promise<string> {
  const metadata = { name: `of-${tenant}`, tenant };
  const { status, body } = await site.admin("POST", "allocations", { metadata, spec });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
}

/** Waits for an hour at most: a server is ordered, and given back, in less. */
async function eventually(
  site: Site,
  holds: () => Promise<boolean>,
  otherwise: () => Promise<string> | string,
): Promise<void> {
  for (let minute = 0; minute < 60; minute++) {
    if (await holds()) return;
    await site.laptop.pass(60_000);
  }
  throw new Error(await otherwise());
}

/** Runs until an allocation has so many hosts kept, used and lacking, and no more happens. */
async function untilIt(site: Site, id: string, ...[kept, used, lacking]: number[]): Promise<void> {
  const wanted = { host_types: [metal], kept, used, lacking };
  await eventually(
    site,
    async () => isDeepStrictEqual((await allocation(site, id)).status, wanted),
    async () =>
      `not ${JSON.stringify(wanted)} but ${JSON.stringify((await allocation(site, id)).status)}`,
  );
  expect(await wrongInBooks(site)).toEqual([]);
}

const untilRuns = (site: Site, id: string): Promise<void> =>
  eventually(
    site,
    async () => (await serverOf(site, id)).status.state === "BARE_METAL_INSTANCE_STATE_RUNNING",
    async () => JSON.stringify((await serverOf(site, id)).status),
  );

it("what is reserved for a tenant is kept from others, comes back to it, and ends with the allocation", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  const { hosts } = await siteWithServers(site, 3);
  const theirs = await reserve(site, "tenant-b", { instance_type: "big", reserved: 2 });
  await untilIt(site, theirs, 2, 0, 0);
  const capacity = (await site.admin("GET", "capacity")).body.items;
  expect(capacity).toContainEqual(
    expect.objectContaining({ host_type: metal, total: 3, free: 1, kept: 2, unavailable: 0 }),
  );

  // The other tenant gets what is left, and then waits beside hosts that are free.
  const first = await orderServer(site, "db-1");
  await untilRuns(site, first);
  const second = await orderServer(site, "db-2");
  const waiting = async () => (await serverOf(site, second)).status.waiting?.[0]?.message ?? "";
  await eventually(
    site,
    async () => (await waiting()).includes("0 of 1 metal hosts free"),
    async () => `it said "${await waiting()}"`,
  );
  const { allocations, waits } = (await site.admin("GET", "status")).body;
  expect(allocations).toEqual([
    {
      ...{ id: theirs, name: "of-tenant-b", tenant: "tenant-b", host_types: [metal] },
      ...{ reserved: 2, kept: 2, used: 0, lacking: 0, free: 0 },
    },
  ]);
  expect(waits).toMatchObject([
    { waits_for: "hosts", host_type: metal, operations: 1, kept: 2, kept_for_others: 1 },
  ]);
  const { out } = await terminalAt(site).slipway("status");
  expect(out).toMatch(/\nORDERS +WAIT FOR +KEPT .*\n1 .* 2 hosts free, reserved for others /);
  expect(out).toMatch(
    /\nReserved for tenants\nNAME .*\nof-tenant-b \(tenant-b\) +metal +2 +0 +0\n/,
  );
  await site.admin("PATCH", `allocations/${theirs}`, { spec: { reserved: 1 } });
  await untilRuns(site, second);
  await untilIt(site, theirs, 1, 0, 0);

  // Nothing is free: the allocation stands in line, and gets what is released.
  const own = await reserve(site, "tenant-a", { host_type: metal, reserved: 2 });
  await untilIt(site, own, 0, 0, 2);
  await site.api("DELETE", `baremetal_instances/${first}`);
  await untilIt(site, own, 1, 0, 1);
  const third = await orderServer(site, "db-3");
  await untilRuns(site, third);
  await untilIt(site, own, 0, 1, 1);
  expect((await serverOf(site, third)).status.message ?? "").toBe("");

  const refused = await site.admin("DELETE", `allocations/${own}`);
  expect(refused.status).toBe(400);
  expect(refused.body.message).toBe(
    `cannot delete allocation '${own}': in use by baremetal instance 'db-3' (${third})`,
  );
  const tenant = await site.admin("DELETE", "tenants/tenant-b");
  expect(tenant.body.message).toContain("it has 1 allocations");

  await site.admin("DELETE", `allocations/${theirs}`);
  await untilIt(site, own, 1, 1, 0);
  await site.api("DELETE", `baremetal_instances/${third}`);
  await untilIt(site, own, 2, 0, 0);
  expect((await site.admin("DELETE", `allocations/${own}`)).status).toBe(200);
  await eventually(
    site,
    async () =>
      (await site.admin("GET", "capacity")).body.items.some((each: Wire) => each.free === 2),
    () => "not all came free for all",
  );
  expect(await wrongInBooks(site)).toEqual([]);
  // Which of the three the other server runs on is drawn.
  const states = await Promise.all(hosts.map(async (id) => (await hostOf(site, id)).status.state));
  expect(states.toSorted()).toEqual([
    ...["HOST_STATE_AVAILABLE", "HOST_STATE_AVAILABLE", "HOST_STATE_RESERVED"],
  ]);
});
