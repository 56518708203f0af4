import { expect, it } from "vitest";
import { openSite } from "../../../support/site.ts";

it("an operation that failed tells what was seen of its cluster before the undo took it away", async () => {
  const site = await openSite();
  site.world.faults.add({ target: "hub", operation: "install", fault: "error" });
  const id = await site.order("c1");
  const { status } = await site.settled(id);
  expect(status.failure.step).toBe("JoinNodes");
  expect(status.diagnostics.join("\n")).toMatch(/^node set workers: 0 of 2 nodes/m);
  expect(status.diagnostics.join("\n")).toMatch(/^host fc430-a-0\d: error, Failed to install/m);
  expect(site.owned()).toEqual([]);
});

it("one that goes well has nothing to tell", async () => {
  const site = await openSite();
  const id = await site.order("c1");
  expect((await site.settled(id)).status).not.toHaveProperty("diagnostics");
});
