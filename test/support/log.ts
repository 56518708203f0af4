import type { Event } from "../../core/kernel/events/events.ts";
import { eventIn } from "../../core/kernel/events/log-entry.ts";
import { logPartitions } from "../../core/kernel/object/log-keys.ts";
import { everyItem } from "../../core/kernel/store/pages.ts";
import type { Item, Store } from "../../core/kernel/store/store.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";

export interface Logged {
  position: string;
  event: Event;
}

/** Whether the item only says where the entry of an event is. */
const isMark = ({ at }: Item): boolean => at !== undefined;

/** Everything that is in the log of a tenant, in its order. */
export async function logOf({ store }: { store: Store }, tenant = "tenant-a"): Promise<Logged[]> {
  const shards = await Promise.all(logPartitions(tenant).map((pk) => everyItem(store, { pk })));
  return shards
    .flat()
    .filter((item) => !isMark(item))
    .map((item) => {
      const event = eventIn(kinds, item);
      if (!event) throw new Error("an entry of the log is no event");
      return { position: item.sk, event };
    })
    .sort((a, b) => (a.position < b.position ? -1 : 1));
}
