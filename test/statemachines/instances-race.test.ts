import { expect, it } from "vitest";
import { wrongInBooks } from "../support/books.ts";
import { askForServer, siteWithServers } from "../support/instances.ts";
import { openSite, type Wire } from "../support/site.ts";

/** Orders for servers that meet. */

it("50 orders at once for 10 servers have 10 of them, and as many wait as are left", async () => {
  const site = await openSite();
  const { hosts } = await siteWithServers(site, 10);
  const asked = await Promise.all(
    Array.from({ length: 50 }, (_, n) => askForServer(site, `db-${n}`)),
  );
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]));
  const all = async (): Promise<Wire[]> =>
    (await site.api("GET", "baremetal_instances")).body.items;
  const inState = async (state: string) =>
    (await all()).filter(({ status }) => status.state === `BARE_METAL_INSTANCE_STATE_${state}`);
  await site.laptop.until(
    async () => (await inState("RUNNING")).length === 10,
    "10 servers to run",
  );
  await site.laptop.until(
    async () => (await inState("PROVISIONING")).every(({ status }) => status.waiting?.length === 1),
    "all others to wait",
  );
  expect(await inState("PROVISIONING")).toHaveLength(40);
  const owners = await Promise.all(
    hosts.map(async (id) => (await site.admin("GET", `hosts/${id}`)).body.status.owner.id),
  );
  expect(new Set(owners)).toEqual(new Set((await inState("RUNNING")).map(({ id }) => id)));
  for (const { id } of await inState("PROVISIONING"))
    expect((await site.api("DELETE", `baremetal_instances/${id}`)).status).toBe(200);
  await site.laptop.until(async () => (await all()).length === 10, "the waiting ones to be gone");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("an order that is sent again with its key is the same order, however both meet", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  await siteWithServers(site, 2);
  const key = { "Idempotency-Key": "db-1" };
  const asked = await Promise.all([1, 2, 3].map(() => askForServer(site, "db-1", {}, key)));
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(asked.map(({ body }) => body.id)).size).toBe(1);
  const { status } = await askForServer(site, "db-1", { restart_trigger: 2 }, key);
  expect(status).toBe(422);
});
