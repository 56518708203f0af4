import { expect, it, onTestFinished } from "vitest";
import { minutes } from "../../core/clock.ts";
import { openSystem } from "../../simulate/system.ts";
import { wrongInBooks } from "../support/books.ts";

it("an order goes on where it was, however often Slipway's process ends and another one starts", async () => {
  const size = { sites: 1, hubsAtSite: 1, hostsAtHub: { fc430: 1 } };
  const system = await openSystem({ seed: 1, faults: 0, size });
  onTestFinished(() => system.stop());
  const { clock, secrets, worlds } = system;
  const ask = (method: string, path: string, body?: object) =>
    system.ask("tenant-a", method, path, body);
  const spec = { template: { id: "ocp_4_17_small" }, node_sets: { workers: { size: 1 } } };
  const ordered = await ask("POST", "clusters", { metadata: { name: "c" }, spec });
  const { id } = ordered.body;
  const processes = new Set([system.slipway]);
  const restartUntil = async (ends: () => Promise<boolean>) => {
    for (let n = 0; n < 40 && !(await ends()); n++) {
      await clock.advance(minutes(3));
      system.restart();
      processes.add(system.slipway);
    }
    expect(await ends()).toBe(true);
  };
  await restartUntil(async () => {
    const { body } = await ask("GET", `clusters/${id}`);
    return body.status.state === "CLUSTER_STATE_READY";
  });
  expect(processes.size).toBeGreaterThan(5);
  expect((await ask("DELETE", `clusters/${id}`)).status).toBe(200);
  await restartUntil(async () => (await ask("GET", `clusters/${id}`)).status === 404);
  await clock.advance(minutes(1));
  expect(await wrongInBooks({ laptop: system.slipway, world: worlds, secrets })).toEqual([]);
});
