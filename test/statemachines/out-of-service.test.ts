import { expect, it } from "vitest";
import { openSite } from "../support/site.ts";

it("a scale-down takes the host in maintenance whose replacement has failed, whichever it is", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  const id = await site.order("c1", { node_sets: { workers: { size: 4 } } });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  const held = async (): Promise<string[]> =>
    (await site.admin("GET", `clusters/${id}`)).body.status.hosts.workers.toSorted();
  const [first, gone = "", second, last] = await held();
  site.world.faults.add({ target: "hub", operation: "install", fault: "error" });
  expect((await site.admin("POST", `hosts/${gone}/maintain`)).status).toBe(200);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_FAILED");
  await site.api("PATCH", `clusters/${id}`, { spec: { node_sets: { workers: { size: 3 } } } });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(await held()).toEqual([first, second, last].toSorted());
});
