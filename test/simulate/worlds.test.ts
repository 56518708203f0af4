import { expect, it, onTestFinished } from "vitest";
import { Worlds } from "../../simulate/worlds.ts";
import { seeded } from "../support/random.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

it("a site of a large fleet has as many hubs as it is to have, each with a name of its own", async () => {
  const size = { sites: 1, hubsAtSite: 18, hostsAtHub: {} };
  const worlds = await Worlds.open(new VirtualClock(), seeded(1), size);
  onTestFinished(() => worlds.stop());
  expect(new Set(worlds.hubs().map(({ id }) => id)).size).toBe(18);
});
