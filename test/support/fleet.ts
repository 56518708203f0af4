import { timestamp } from "../../core/clock.ts";
import type { Deps } from "../../core/kernel/deps.ts";
import { createdEvent } from "../../core/kernel/events/outbox.ts";
import { hostsKey } from "../../core/kernel/object/hub-keys.ts";
import { putNew } from "../../core/kernel/object/records.ts";
import { counterName } from "../../core/placement/pool/host-counts.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { hubRecord } from "./placement.ts";

/**
 * So many hosts of these types that orders may be accepted, where a test is not about hosts: on a hub of any region
 * (and of a site, if one is named) that is cordoned and has reported nothing.
 */
export async function addFleet(
  deps: Deps,
  hosts: Record<string, number>,
  site?: string,
): Promise<void> {
  const id = site === undefined ? "fleet" : `fleet-at-${site}`;
  const at = { cordoned: true, ...(site !== undefined && { site }) };
  const now = deps.clock.now();
  const { spec, ...hub } = hubRecord(id, at, now);
  const { region: _, ...anywhere } = spec;
  await deps.store.transact([
    ...putNew(kinds, { ...hub, spec: anywhere, event: createdEvent("hub", timestamp(now)) }),
  ]);
  await addCounts(deps, id, hosts);
}

/** So many hosts of these types on a hub, as its counters say. */
export async function addCounts(
  { store }: Deps,
  hub: string,
  hosts: Record<string, number>,
): Promise<void> {
  const counts = Object.entries(hosts).map(([type, count]) => [counterName("type", type), count]);
  await store.transact([{ update: hostsKey(hub), add: Object.fromEntries(counts) }]);
}
