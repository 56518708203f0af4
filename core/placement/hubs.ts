import type { Hub } from "../model/hub.ts";
import { heartbeatKey, kindPartition, objectKey, slotsKey } from "../store/keys.ts";
import { objectIn } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import type { Candidate } from "./choose.ts";

/**
 * Every hub with its load and its last sign of life. Only their ids come from an index, which may
 * lag; what is said of each is read by key.
 */
export async function candidates(store: Store): Promise<Candidate[]> {
  const found: Candidate[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.query({
      index: "g4",
      pk: kindPartition("hub"),
      ...(cursor ? { cursor } : {}),
    });
    const ids = page.items.map((item) => objectIn<"hub">(item).id);
    const facts = await store.getMany(
      ids.flatMap((id) => [objectKey("hub", id), slotsKey(id), heartbeatKey(id)]),
    );
    for (let i = 0; i < facts.length; i += 3) {
      const [hub, slots, heartbeat] = facts.slice(i, i + 3);
      if (!hub) continue;
      found.push({
        hub: objectIn<"hub">(hub),
        used: typeof slots?.used === "number" ? slots.used : 0,
        heartbeat: typeof heartbeat?.at === "string" ? Date.parse(heartbeat.at) : undefined,
      });
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}

export const hubsOf = async (store: Store): Promise<Hub[]> =>
  (await candidates(store)).map(({ hub }) => hub);
