import {
  heartbeatKey,
  hostsKey,
  kindPartition,
  objectKey,
  slotsKey,
} from "../kernel/object/keys.ts";
import { objectIn } from "../kernel/object/records.ts";
import type { Store } from "../kernel/store/store.ts";
import type { Hub } from "../resources/hub/model.ts";
import type { Candidate } from "./choose.ts";
import { hostCounts } from "./inventory.ts";

/** Every hub with its load, its hosts and its last sign of life. What is said of each is read by key. */
export async function candidates(store: Store): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for await (const hubs of pagesOfHubs(store))
    found.push(
      ...(await candidatesOf(
        store,
        hubs.map(({ id }) => id),
      )),
    );
  return found;
}

/** Every hub, as it is now. */
export async function hubsOf(store: Store): Promise<Hub[]> {
  const found: Hub[] = [];
  for await (const hubs of pagesOfHubs(store)) found.push(...hubs);
  return found;
}

async function* pagesOfHubs(store: Store): AsyncGenerator<Hub[]> {
  let cursor: string | undefined;
  do {
    const page = await store.query({
      index: "g4",
      pk: kindPartition("hub"),
      ...(cursor ? { cursor } : {}),
    });
    yield page.items.map((item) => objectIn<"hub">(item));
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/** These hubs, those that are gone left out. Strongly consistent. */
export async function candidatesOf(store: Store, ids: string[]): Promise<Candidate[]> {
  const found: Candidate[] = [];
  const facts = await store.getMany(
    ids.flatMap((id) => [objectKey("hub", id), slotsKey(id), heartbeatKey(id), hostsKey(id)]),
  );
  for (let i = 0; i < facts.length; i += 4) {
    const [hub, slots, heartbeat, hosts] = facts.slice(i, i + 4);
    if (!hub) continue;
    found.push({
      hub: objectIn<"hub">(hub),
      used: typeof slots?.used === "number" ? slots.used : 0,
      heartbeat: typeof heartbeat?.at === "string" ? Date.parse(heartbeat.at) : undefined,
      hosts: hostCounts(hosts),
    });
  }
  return found;
}
