import type { AtSite, SharedNetwork, SitedKind } from "../../../core/at-site/at-site.ts";
import { written } from "../../../core/kernel/events/rewrite.ts";
import { announcedKey, announcedPartition } from "../../../core/kernel/object/hub-keys.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { Placed } from "../../../core/kernel/object/traits.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { optimisticallyFenced } from "../../../core/kernel/store/optimistically.ts";
import { everyItem } from "../../../core/kernel/store/pages.ts";
import { absent, any, eq, type Write } from "../../../core/kernel/store/store.ts";
import { addressesIn, withAddresses } from "../../../core/resources/subnet/members.ts";

/**
 * The API's address in a tenant's subnet, on the hub that announces it. Tenants may have the same prefixes, but a
 * hub announces each address only once; so the API gets one of its owner's addresses that nobody else has on that
 * hub.
 */

type Target = AtSite & Placed;

/** Claims the API's address on the hub. False if the hub announces all of the target's addresses for others. */
export const pinApi = ({ kind, id }: Target, context: StepContext<Target>): Promise<boolean> =>
  change(kind, id, context, async (current, network) => {
    const hub = current.placement?.hub;
    if (network.pinned || hub === undefined) return true;
    const taken = new Set(
      (await everyItem(context.deps.store, { pk: announcedPartition(hub) })).map(({ sk }) => sk),
    );
    const all = addressesIn(network);
    const free = Object.entries(all).find(([, address]) => !taken.has(address));
    if (!free) return false;
    const [name, api] = free;
    const swapped = withAddresses(network, { ...all, [name]: network.api, api });
    return {
      network: { ...swapped, pinned: true },
      write: { put: { ...announcedKey(hub, api), owner: id }, if: absent },
    };
  });

/** Releases the API's address on the hub, once the hub no longer announces it. */
export const unpinApi = ({ kind, id }: Target, context: StepContext<Target>): Promise<boolean> =>
  change(kind, id, context, async (current, network) => {
    const { pinned, ...left } = network;
    const hub = current.placement?.hub;
    if (!pinned || hub === undefined) return true;
    return {
      network: left,
      write: { delete: announcedKey(hub, network.api), if: any(absent, eq("owner", id)) },
    };
  });

/**
 * Changes the network in the target's record together with the claim; answers the attempt's result if there is no
 * claim.
 */
function change(
  kind: SitedKind,
  id: string,
  { deps, fence }: StepContext<Target>,
  attempt: (
    current: Target,
    network: SharedNetwork,
  ) => Promise<boolean | { network: SharedNetwork; write: Write }>,
): Promise<boolean> {
  return optimisticallyFenced(deps.store, fence(), async () => {
    const current: ObjectOf[SitedKind] = await mustLoad(deps, kind, id);
    const { site } = current;
    if (!site?.network || !("nics" in site.network)) return { writes: [], result: true };
    const found = await attempt(current, site.network);
    if (typeof found === "boolean") return { writes: [], result: found };
    const after = { ...current, site: { ...site, network: found.network } };
    return {
      writes: [...written(deps, current, after).writes, found.write],
      result: true,
    };
  });
}
