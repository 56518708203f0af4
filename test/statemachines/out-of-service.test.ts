import { expect, it } from "vitest";
import { openSite } from "../support/site.ts";

it("a scale-down takes the hosts that are out of service, whichever they are", async () => {
  const site = await openSite();
  const id = await site.order("c1", { node_sets: { workers: { size: 4 } } });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  const held = async (): Promise<string[]> =>
    (await site.admin("GET", `clusters/${id}`)).body.status.hosts.workers.toSorted();
  const [first = "", kept = "", second = "", last = ""] = await held();
  for (const host of [first, second])
    expect(
      (await site.admin("PATCH", `hosts/${host}`, { spec: { unschedulable: true } })).status,
    ).toBe(200);
  await site.api("PATCH", `clusters/${id}`, { spec: { node_sets: { workers: { size: 2 } } } });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(await held()).toEqual([kept, last].toSorted());
});
