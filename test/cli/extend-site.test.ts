import { expect, it } from "vitest";
import { openSite } from "../support/site.ts";
import { terminalAt } from "../support/terminal.ts";

/** `slipway site extend`: all or nothing, and nothing that would change what orders hold. */

it("adds numbers at the end of pools, after all of it was judged", async () => {
  const site = await openSite();
  await site.settled(await site.order("demo"));
  const { slipway } = terminalAt(site);
  const networkNow = async () => (await site.admin("GET", "sites/site-1")).body.spec.network;
  const before = await networkNow();
  const extend = "site extend site-1 --vlans 4000-4050";
  const tried = await slipway(`${extend} --dry-run`);
  expect(tried).toMatchObject({ exit: 0, err: "it would be accepted; nothing was changed\n" });
  expect(tried.out).toBe("POOL   IS        TO BE     MORE\nvlans  100-3999  100-4050  51\n");
  for (const [wrong, why] of [
    ["--vlans 4001-4050", "would leave a gap: a site has only one range, which is 100-3999"],
    ["--vlans many", "expected a range, such as 4000-4050"],
    ["--floating-ips 203.0.113.300", "expected a range, such as 203.0.113.251-203.0.113.254"],
    ["", "use --vlans or --floating-ips"],
  ])
    expect(await slipway(`site extend site-1 ${wrong}`.trim())).toMatchObject({
      ...{ exit: 2, out: "", err: expect.stringContaining(why ?? "") },
    });
  const below = await slipway(`${extend} --floating-ips 203.0.113.99`);
  expect(below).toMatchObject({ exit: 1, out: "" });
  expect(below.err).toContain("spec.network.floating_ips: can only be extended at its end");
  expect(await networkNow()).toEqual(before);

  const both = await slipway(`${extend} --floating-ips 203.0.113.251-203.0.113.254`);
  expect(both).toMatchObject({ exit: 0, err: "" });
  expect(await networkNow()).toEqual({
    ...before,
    vlans: { first: 100, last: 4050 },
    floating_ips: { first: "203.0.113.100", last: "203.0.113.254" },
  });
});
