import { expect, it } from "vitest";
import { minutes } from "../../core/clock.ts";
import { sweepSiteOrphans } from "../../core/reconcile/sweep-orphans.ts";
import { openSite } from "../support/site.ts";

it("a site says which of its systems is away, since when, and how old what is known is", async () => {
  const site = await openSite();
  const { clock, deps } = site.laptop;
  const look = () => clock.until(sweepSiteOrphans(deps, "site-1"));
  const status = async () => (await site.admin("GET", "sites/site-1")).body.status;
  const systemOf = async (name: string) =>
    (await status()).systems.find(({ system }: { system: string }) => system === name);

  await look();
  const { last_reached_time: last } = await systemOf("dns");
  expect((await status()).systems.map(({ system }: { system: string }) => system)).toEqual([
    ...["fabric", "dns", "storage"],
  ]);
  expect((await status()).away).toBeUndefined();

  site.world.faults.add({ target: "dns", fault: "error", status: 503, count: 0 });
  await site.laptop.pass(minutes(20));
  await look();
  // One lost look is no loss of the system.
  const { away_since: since } = await systemOf("dns");
  expect((await status()).away).toBeUndefined();
  await site.laptop.pass(minutes(20));
  await look();
  expect((await status()).away).toEqual(["dns"]);
  expect(await systemOf("dns")).toEqual({
    ...{ system: "dns", last_reached_time: last, away_since: since },
    message: expect.stringContaining("503"),
  });
  expect((await systemOf("storage")).away_since).toBeUndefined();

  site.world.faults.clear();
  await look();
  expect((await status()).away).toBeUndefined();
  expect((await systemOf("dns")).away_since).toBeUndefined();
  expect(Date.parse((await systemOf("dns")).last_reached_time)).toBeGreaterThan(Date.parse(since));
});
