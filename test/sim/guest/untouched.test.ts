import { expect, it } from "vitest";
import { minutes } from "../../../core/clock.ts";
import { testGuest } from "../../support/guest.ts";
import { condition } from "../../support/sim-world.ts";

it("a cluster that nobody configures stays without ingress and console, and goes quiet", async () => {
  const guest = testGuest();
  guest.join("worker-1", "worker-2");
  await guest.clock.advance(minutes(120));
  const unavailable = guest.cluster
    .list("ClusterOperator")
    .filter((operator) => condition(operator, "Available").status !== "True");
  expect(unavailable.map(({ metadata }) => metadata.name)).toEqual(["console", "ingress"]);
  expect(guest.clock.pending).toBe(0);
  await guest.stop();
});
