import {
  heartbeatKey,
  hostsKey,
  kindPartition,
  objectKey,
  slotsKey,
} from "../kernel/object/keys.ts";
import { objectIn, objectsIn, type Records } from "../kernel/object/records.ts";
import type { Candidate } from "./choose.ts";
import type { Hub } from "./hub.ts";
import { hostCounts } from "./inventory.ts";

/**
 * Every hub with its load, its hosts and its last report. The details of each hub are read by key, not
 * by index.
 */
export async function candidates(records: Records): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for await (const hubs of pagesOfHubs(records))
    found.push(
      ...(await candidatesOf(
        records,
        hubs.map(({ id }) => id),
      )),
    );
  return found;
}

/** Every hub in its present state. */
export async function hubsOf(records: Records): Promise<Hub[]> {
  const found: Hub[] = [];
  for await (const hubs of pagesOfHubs(records)) found.push(...hubs);
  return found;
}

const pagesOfHubs = (records: Records): AsyncGenerator<Hub[]> =>
  objectsIn<"hub">(records, { index: "g4", pk: kindPartition("hub") });

/** These hubs, without those that were removed. Strongly consistent. */
export async function candidatesOf(records: Records, ids: string[]): Promise<Candidate[]> {
  const found: Candidate[] = [];
  const facts = await records.store.getMany(
    ids.flatMap((id) => [objectKey("hub", id), slotsKey(id), heartbeatKey(id), hostsKey(id)]),
  );
  for (let i = 0; i < facts.length; i += 4) {
    const [hub, slots, heartbeat, hosts] = facts.slice(i, i + 4);
    if (!hub) continue;
    found.push({
      hub: objectIn<"hub">(records.kinds, hub),
      used: typeof slots?.used === "number" ? slots.used : 0,
      heartbeat: typeof heartbeat?.at === "string" ? Date.parse(heartbeat.at) : undefined,
      hosts: hostCounts(hosts),
    });
  }
  return found;
}
