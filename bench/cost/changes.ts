import { beyond, type Counts } from "./meter.ts";
import { MeteredSite } from "./metered-site.ts";

/**
 * What each kind of change costs, counted once: an order of two nodes, a third node, the deletion.
 * What goes on anyway, sweeps and heartbeats, is counted on a twin at the same hours and taken off.
 */
export async function countChanges(): Promise<Record<string, Counts>> {
  const [busy, idle] = [await MeteredSite.open(), await MeteredSite.open()];
  const counted: Record<string, Counts> = {};
  const count = async (saga: string, ask: Parameters<MeteredSite["change"]>[1]) => {
    const { counts, passed } = await busy.change(saga, ask);
    counted[saga] = beyond(counts, await idle.rest(passed));
  };
  try {
    let id = "";
    await count("cluster-create", async (site) => {
      id = await site.order("c1");
      return id;
    });
    await count("cluster-scale", async ({ api }) => {
      await api("PATCH", `clusters/${id}`, { spec: { node_sets: { workers: { size: 3 } } } });
      return id;
    });
    await count("cluster-delete", async ({ api }) => {
      await api("DELETE", `clusters/${id}`);
      return id;
    });
    return counted;
  } finally {
    await busy.close();
    await idle.close();
  }
}
