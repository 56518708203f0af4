import { minutes } from "../../core/clock.ts";
import { objectKey } from "../../core/kernel/object/keys.ts";
import { objectIn } from "../../core/kernel/object/records.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import type { Host } from "../../core/resources/host/model.ts";
import { addServer, metal, withMetal } from "../../test/support/managed-hosts.ts";
import type { Site } from "../../test/support/site.ts";

/** A hot pool at a hub of the world, whose servers are off until it needs them. */

/** How many servers the pool chooses among. */
const servers = 8;

/** Registers the servers at a hub that keeps none of them discovered. Answers the hosts. */
export async function layOut(site: Site): Promise<string[]> {
  await withMetal(site);
  await keep(site, 0);
  const ids: string[] = [];
  for (let number = 1; number <= servers; number++) ids.push(await addServer(site, number));
  await site.laptop.pass(minutes(5));
  return ids;
}

/** Has the hub keep one host discovered: the pool chooses a server. Answers the host. */
export async function keepOne(site: Site, ids: readonly string[]): Promise<string> {
  await keep(site, 1);
  for (;;) {
    await site.laptop.pass(1);
    const coming = ids.find((id) => hostIn(site, id).operation !== undefined);
    if (coming !== undefined) return coming;
  }
}

/** A host as its record is now, read without counting. */
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

/** An order of one host of the pool. Answers the cluster. */
export const orderOne = ({ order }: Site): Promise<string> =>
  order("of-the-pool", { template: { id: metal }, placement: { region: "eu-west" } });
