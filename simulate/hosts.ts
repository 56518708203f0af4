import { kindPartition } from "../core/kernel/object/keys.ts";
import { load, objectIn } from "../core/kernel/object/records.ts";
import { everyItem } from "../core/kernel/store/pages.ts";
import { type Host, hostOwnerOf, isManaged } from "../core/placement/pool/host.ts";
import { kinds } from "../core/resources/generated/kinds.ts";
import type { Slipway } from "./slipway.ts";

/**
 * Hosts in a wrong place without a running operation. A host in maintenance must have left its
 * cluster, unless the operation that replaces it failed; a tenant's server keeps its host. At the
 * end no host is in maintenance, and each host that Slipway does not boot is free.
 */
export async function wrongHosts({ deps, store }: Slipway, isEnd: boolean): Promise<string[]> {
  const items = await everyItem(store, { index: "g4", pk: kindPartition("host") });
  const wrong: string[] = [];
  for (const host of items.map((item) => objectIn<"host">(kinds, item))) {
    const { id, maintenance, status } = host;
    const at = (what: string) => wrong.push(`host ${id} is ${status.state} and ${what}`);
    if (await staysWithoutReason(deps, host)) at("in maintenance, and nothing has failed");
    if (isEnd && maintenance) at("in maintenance still");
    else if (isEnd && !isManaged(host) && status.state !== "HOST_STATE_AVAILABLE") at("not free");
  }
  return wrong;
}

async function staysWithoutReason(deps: Slipway["deps"], host: Host): Promise<boolean> {
  if (!host.maintenance || hostOwnerOf(host)?.kind !== "cluster") return false;
  const { operation: id } = host.maintenance;
  if (id === undefined) return true;
  const operation = await load(deps, "operation", id);
  return operation?.status.state === "SUCCEEDED";
}
