import { expect, test } from "vitest";
import { openSite } from "../support/site.ts";

test("two node sets of one host type have hosts and a node pool each", async () => {
  const site = await openSite();
  const made = await site.admin("POST", "cluster_templates", {
    id: "twins",
    metadata: { name: "twins" },
    node_sets: {
      workers: { host_type: "fc430", size: 2 },
      infra: { host_type: "fc430", size: 1 },
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  const id = await site.order("c1", { template: "twins", node_sets: { infra: { size: 3 } } });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");

  const { status } = (await site.admin("GET", `clusters/${id}`)).body;
  expect(status.node_sets).toMatchObject({
    workers: { host_type: { name: "fc430" }, size: 2, ready: 2 },
    infra: { host_type: { name: "fc430" }, size: 3, ready: 3 },
  });
  const { workers, infra } = status.hosts;
  expect(workers).toHaveLength(2);
  expect(infra).toHaveLength(3);
  expect(new Set([...workers, ...infra]).size).toBe(5);

  await site.api("DELETE", `clusters/${id}`);
  await site.settled(id);
  expect(site.owned()).toEqual([]);
});
