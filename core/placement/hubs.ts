import { heartbeatKey, kindPartition, slotsKey } from "../store/keys.ts";
import { objectIn } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import type { Candidate } from "./choose.ts";

/** Every hub with its load and its last sign of life. */
export async function candidates(store: Store): Promise<Candidate[]> {
  const found: Candidate[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.query({
      index: "g4",
      pk: kindPartition("hub"),
      ...(cursor ? { cursor } : {}),
    });
    const hubs = page.items.map((item) => objectIn<"hub">(item));
    const facts = await store.getMany(
      hubs.flatMap((hub) => [slotsKey(hub.id), heartbeatKey(hub.id)]),
    );
    hubs.forEach((hub, i) => {
      const used = facts[2 * i]?.used;
      const at = facts[2 * i + 1]?.at;
      found.push({
        hub,
        used: typeof used === "number" ? used : 0,
        heartbeat: typeof at === "string" ? Date.parse(at) : undefined,
      });
    });
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}
