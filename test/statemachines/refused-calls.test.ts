import { expect, it } from "vitest";
import { atRest, orderOf, withNetworks } from "../support/networks.ts";
import { openSite } from "../support/site.ts";

/** What failed by a refusal names the call that was refused, for the provider alone. */

it("names the call that the fabric refused to administrators, and not to the tenant", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  await withNetworks(site);
  site.world.faults.add({
    ...{ target: "fabric", operation: "POST /v2.0/routers", fault: "error", status: 400 },
  });
  const id = await orderOf(site, "virtual_networks", "lab", { ipv4_cidr: "10.40.0.0/16" });
  await atRest(site, "virtual_networks", id);
  const path = "operations?filter=this.spec.target.name=='lab'";
  const shown = async (ask: typeof site.api) => (await ask("GET", path)).body.items[0].status;
  const { failure } = await shown(site.admin);
  expect(failure).toMatchObject({ kind: "Rejected", call: "POST /v2.0/routers" });
  expect(failure.message).toMatch(/^the fabric refuses: /);
  const told = await shown(site.api);
  expect(told.failure).toMatchObject({ kind: "Rejected", message: failure.message });
  expect(told.failure).not.toHaveProperty("call");
});

it("names the call that a stuck removal waits for in the night's list", async () => {
  const site = await openSite();
  const id = await site.order("one");
  await site.settled(id);
  site.world.faults.add({ target: "dns", fault: "error", status: 400, count: 0 });
  await site.api("DELETE", `clusters/${id}`);
  const stuck = async () =>
    (await site.admin("GET", "status")).body.attention.find(
      (each: { reason: string }) => each.reason === "OperationStuck",
    );
  await site.laptop.until(async () => (await stuck()) !== undefined, "it is stuck");
  expect((await stuck()).message).toMatch(/ \((GET|PATCH) \S+\)$/);
});
