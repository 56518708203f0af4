import { minutes } from "../../core/clock.ts";
import { objectKey } from "../../core/kernel/object/keys.ts";
import { objectIn } from "../../core/kernel/object/records.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import type { Host } from "../../core/resources/host/model.ts";
import { addServer, metal, withMetal } from "../../test/support/managed-hosts.ts";
import type { Site } from "../../test/support/site.ts";

/** A hot pool at a hub of the world, whose servers are off until the pool needs them. */

/** The number of servers that the pool chooses from. */
const servers = 8;

/** Registers the servers at a hub that keeps none of them discovered. Returns the hosts. */
export async function layOut(site: Site): Promise<string[]> {
  await withMetal(site);
  await keep(site, 0);
  const ids: string[] = [];
  for (let number = 1; number <= servers; number++) ids.push(await addServer(site, number));
  await site.laptop.pass(minutes(5));
  return ids;
}

/** Makes the hub keep one host discovered, so that the pool chooses a server. Returns the host. */
export async function keepOne(site: Site, ids: readonly string[]): Promise<string> {
  await keep(site, 1);
  for (;;) {
    await site.laptop.pass(1);
    const coming = ids.find((id) => hostIn(site, id).operation !== undefined);
    if (coming !== undefined) return coming;
  }
}

/** The current record of a host, without counting the read. */
function hostIn({ laptop }: Site, id: string): Host {
  const [item] = laptop.store.items(objectKey("host", id).pk);
  if (!item) throw new Error(`there is no host ${id}`);
  return objectIn<"host">(kinds, item);
}

async function keep({ admin }: Site, least: number): Promise<void> {
  const spec = { hot_pools: { [metal]: { min: least, max: least } } };
  const { status, body } = await admin("PATCH", "hubs/hub-a", { spec });
  if (status !== 200) throw new Error(`refused: ${JSON.stringify(body)}`);
}

/** Orders a cluster with one host of the pool. Returns the cluster. */
export const orderOne = ({ order }: Site): Promise<string> =>
  order("of-the-pool", { template: { id: metal }, placement: { region: "eu-west" } });
