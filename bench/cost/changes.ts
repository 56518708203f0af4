import type { Counts } from "./meter.ts";
import { MeteredSite } from "./metered-site.ts";

/** What each kind of change costs, counted once: an order of two nodes, a third node, the deletion. */
export async function countChanges(): Promise<Record<string, Counts>> {
  const metered = await MeteredSite.open();
  try {
    await metered.rest();
    let id = "";
    const create = await metered.change("cluster-create", async (site) => {
      id = await site.order("c1");
      return id;
    });
    await metered.rest();
    const scale = await metered.change("cluster-scale", async ({ api }) => {
      await api("PATCH", `clusters/${id}`, { spec: { node_sets: { workers: { size: 3 } } } });
      return id;
    });
    const remove = await metered.change("cluster-delete", async ({ api }) => {
      await api("DELETE", `clusters/${id}`);
      return id;
    });
    return { "cluster-create": create, "cluster-scale": scale, "cluster-delete": remove };
  } finally {
    await metered.close();
  }
}
