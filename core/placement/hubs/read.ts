import { heartbeatKey, hostsKey, slotsKey } from "../../kernel/object/hub-keys.ts";
import { kindPartition, objectKey, totalKeys } from "../../kernel/object/keys.ts";
import { objectIn, objectsIn, type Records } from "../../kernel/object/records.ts";
import { sumOf } from "../../kernel/store/counters.ts";
import type { Item } from "../../kernel/store/store.ts";
import { hostCounts, slotsUsed } from "../pool/host-counts.ts";
import { reservedCounts } from "../pool/reserved.ts";
import type { Candidate } from "./candidate.ts";
import type { Hub } from "./hub.ts";
import type { Counters } from "./room.ts";

/** The ids of all hubs if there are no more than `most`; undefined if there are more. */
export const idsOfFew = async (records: Records, most: number): Promise<string[] | undefined> =>
  (await few(records, most))?.map(({ id }) => id);

async function few(records: Records, most: number): Promise<Hub[] | undefined> {
  const found: Hub[] = [];
  for await (const hubs of pagesOfHubs(records, most + 1)) {
    found.push(...hubs);
    if (found.length > most) return undefined;
  }
  return found;
}

/** A hub and its hosts. */
export type Stocked = Pick<Candidate, "hub" | "hosts" | "reserved">;

/** All hubs, each with its hosts, if there are no more than `most`; undefined if there are more. */
export async function stockedFew(records: Records, most: number): Promise<Stocked[] | undefined> {
  const hubs = await few(records, most);
  const counters = hubs && (await records.store.getMany(hubs.map(({ id }) => hostsKey(id))));
  return hubs?.map((hub, n) => ({
    hub,
    hosts: hostCounts(counters?.[n]),
    reserved: reservedCounts(counters?.[n]),
  }));
}

/** Every hub in its present state. */
export async function hubsOf(records: Records): Promise<Hub[]> {
  const found: Hub[] = [];
  for await (const hubs of pagesOfHubs(records)) found.push(...hubs);
  return found;
}

const pagesOfHubs = (records: Records, limit?: number): AsyncGenerator<Hub[]> =>
  objectsIn<"hub">(records, {
    ...{ index: "g4", pk: kindPartition("hub") },
    ...(limit !== undefined && { limit }),
  });

/** The number of hubs, from counters. */
export const numberOfHubs = ({ store }: Records): Promise<number> => sumOf(store, totalKeys("hub"));

/** The given hubs that still exist. Strongly consistent. */
export async function candidatesOf(records: Records, ids: string[]): Promise<Candidate[]> {
  const found: Candidate[] = [];
  const facts = await records.store.getMany(
    ids.flatMap((id) => [objectKey("hub", id), slotsKey(id), heartbeatKey(id), hostsKey(id)]),
  );
  for (let i = 0; i < facts.length; i += 4) {
    const [hub, slots, heartbeat, hosts] = facts.slice(i, i + 4);
    if (!hub) continue;
    found.push(candidateIn(objectIn<"hub">(records.kinds, hub), { slots, hosts }, heartbeat));
  }
  return found;
}

/** A hub as a candidate, from its counters and its last report. Pure. */
export const candidateIn = (
  hub: Hub,
  { slots, hosts }: Pick<Counters, "slots" | "hosts">,
  heartbeat: Item | undefined,
): Candidate => ({
  hub,
  used: slotsUsed(slots),
  heartbeat: typeof heartbeat?.at === "string" ? Date.parse(heartbeat.at) : undefined,
  hosts: hostCounts(hosts),
  reserved: reservedCounts(hosts),
});
