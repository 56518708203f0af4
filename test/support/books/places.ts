import type { Kind } from "../../../core/kernel/object/object.ts";
import type { Item } from "../../../core/kernel/store/store.ts";
import type { Check } from "./check.ts";
import { placeOf, shown } from "./table.ts";

/** Of which object an item is that Slipway keeps beside the object's record. */
const ownerOf: Record<string, (item: Item) => { kind: Kind; id: string }> = {
  heartbeats: ({ sk }) => ({ kind: "hub", id: sk }),
  sweep: ({ kind, id }) => ({ kind: kind === "hub" ? "hub" : "site", id: String(id) }),
  reach: (item) => ({ kind: "hub", id: placeOf(item) }),
  "site-reach": (item) => ({ kind: "site", id: placeOf(item) }),
  slots: (item) => ({ kind: "hub", id: placeOf(item) }),
  hosts: (item) => ({ kind: "hub", id: placeOf(item) }),
  room: (item) => ({ kind: "hub", id: placeOf(item) }),
  freehosts: (item) => ({ kind: "hub", id: placeOf(item) }),
  "giving-up": (item) => ({ kind: "hub", id: placeOf(item) }),
  "hub-look": ({ sk }) => ({ kind: "hub", id: sk }),
  orphan: ofPlace,
  orphans: ofPlace,
  inventory: (item) => ({ kind: "site", id: placeOf(item) }),
  "inventory-reading": (item) => ({ kind: "site", id: placeOf(item) }),
  webhooks: ({ sk }) => ({ kind: "webhook", id: sk }),
};

/** A hub or a site. */
function ofPlace(item: Item): { kind: Kind; id: string } {
  const [place, ...id] = placeOf(item).split("#");
  return { kind: place === "hub" ? "hub" : "site", id: id.join("#") };
}

/** What is kept beside the record of an object goes with it. */
export const places: Check = {
  // The deliveries of a deleted webhook go when their time is over.
  of: [...Object.keys(ownerOf), "deliveries"],
  wrong: ({ table }) =>
    Object.entries(ownerOf).flatMap(([word, of]) =>
      table.items(word).flatMap((item) => {
        const { kind, id } = of(item);
        return table.has(kind, id) ? [] : [`${shown(item)} is left, and there is no ${kind} ${id}`];
      }),
    ),
};

/** What belongs to the deployment, to its audit, or to nobody. */
export const others: Check = {
  of: ["audit", "audithead", "setting", "trend", "trends-noted", "watch-slot", "worker-slot"],
  wrong: () => [],
};
