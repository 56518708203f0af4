import { logged } from "../error.ts";
import { givingUpPartition } from "../kernel/object/hub-keys.ts";
import { load } from "../kernel/object/records.ts";
import type { StepDeps } from "../kernel/saga/context.ts";
import { isWritten } from "../kernel/store/optimistically.ts";
import { everyItem } from "../kernel/store/pages.ts";
import { eq, type Item } from "../kernel/store/store.ts";
import { withOpen } from "../ports/bare-metal/servers.ts";

/** Has bare metal services give up the servers that were released at a hub. A failure does not block the others. */
export async function giveUpServers(deps: StepDeps, hub: string): Promise<void> {
  for (const item of await everyItem(deps.store, { pk: givingUpPartition(hub) }))
    try {
      await giveUp(deps, hub, item);
    } catch (thrown) {
      deps.log.warn({ hub, server: item.sk, ...logged(thrown) }, "a server is not given up yet");
    }
}

/** Gives up one server, unless a host has its controller again. */
async function giveUp(deps: StepDeps, hub: string, { pk, sk: address, host }: Item): Promise<void> {
  const id = String(host);
  const holder = await load(deps, "host", id);
  // The running operation could claim the server again.
  if (holder?.operation) return;
  const isOurs = holder?.spec.bmc.address === address && holder.server?.isRetired !== true;
  if (!isOurs)
    await withOpen(deps.servers, { id, hub, bmc: { address } }, async (server) => {
      await server.giveUp?.(id);
    });
  await isWritten(deps.store, [{ delete: { pk, sk: address }, if: eq("host", id) }]);
}
