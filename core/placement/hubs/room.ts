import { isDeepStrictEqual } from "node:util";
import { hubRegionKey, hubsWithPartition, regionOfList } from "../../kernel/object/hub-keys.ts";
import { shardOf } from "../../kernel/object/key-parts.ts";
import { type Item, type Key, transactionLimit, type Write } from "../../kernel/store/store.ts";
import { hostCounts, slotsUsed } from "../pool/host-counts.ts";
import { reservedCounts, reservedOf } from "../pool/reserved.ts";
import { capacityOf } from "./candidate.ts";
import { type Hub, lackingIn, takesOrders } from "./hub.ts";

/**
 * Lists of hubs with room, so that a plan finds some without reading all hubs. A hub that takes orders has an entry for
 * each type of its hosts, and one for any type, in the list of its region. The entry's sort key begins with the section
 * of the hub's room. Pure.
 *
 * An entry moves when the hub becomes full or stops being full, and when the number of its free hosts crosses 0, 8 or
 * 64: a claim writes no entry, and the relay moves few. A thousand orders a minute of one region and type read their
 * list 50 times a second (50 read units of the 3,000 that a partition allows) and move, if each of them fills or
 * empties its hub, 34 entries a second (136 write units of 1,000).
 *
 * The order among hubs with much room is random, by hash: a plan starts anywhere among them and takes the least loaded
 * of the ten that it reads. Ten random choices balance about as well as a choice from all, and many concurrent orders
 * do not meet on one hub.
 */

/** The wildcard: every tenant, or any type. */
export const wildcard = "*";

/** A hub that is reserved for more tenants than this is in the list for everybody. */
const mostAudiences = 8;

/** Longer texts are left out of entries, because a hub keeps a copy of all its entries in one item. */
const mostFacts = 512;

/** An entry has data from the hub's record and counters, and may be outdated; the record decides. */
export interface Entry extends Key {
  hub: string;
  facts?: {
    labels: Record<string, string>;
    /** The types of the hub's hosts, free or not. */
    types: string[];
  };
}

/** The counters of a hub. */
export interface Counters {
  slots: Item | undefined;
  hosts: Item | undefined;
  free: Item | undefined;
}

/** The least number of free hosts in each section, for hubs with a free slot. */
const sections = { a: 64, b: 8, c: 1, d: 0 };
type Section = keyof typeof sections | "e" | "f";

/** The section of a hub. Hubs without a free slot are in `e` with free hosts, and in `f` without. */
function sectionOf(free: number, hasSlot: boolean): Section {
  if (!hasSlot) return free > 0 ? "e" : "f";
  if (free >= sections.a) return "a";
  if (free >= sections.b) return "b";
  return free >= sections.c ? "c" : "d";
}

/** The sections of hubs that may have this number of free hosts, and a free slot if one is needed. */
export function sectionsWith(count: number, slot: boolean): readonly Section[] {
  const withSlot = (["a", "b", "c"] as const).filter(
    (_, n, all) => n === 0 || count < sections[all[n - 1] ?? "a"],
  );
  return slot ? withSlot : [...withSlot, "e"];
}

/** The sections of hubs without room, which show a plan the reasons. */
export const withoutRoom = { from: "d", to: "f~" };

export const sectionIn = ({ sk }: Key): string => sk.slice(0, 1);

/** The sort key at this share of the range: a hub's position in its section. */
export const lotOf = (share: number): string =>
  Math.floor(share * lots)
    .toString(16)
    .padStart(4, "0");
const lots = 0x10000;

/** A share that is always the same for an id; similar ids have very different shares. */
const spread = (id: string): number => (Math.imul(shardOf(id, 2 ** 32), 0x9e3779b1) >>> 16) / lots;

/** The entries of a hub in its present state; none while it takes no orders. */
export function entriesOf(hub: Hub, { slots, hosts, free }: Counters): Entry[] {
  const { region, tenants = [], labels = {} } = hub.spec;
  if (region === undefined || !takesOrders(hub, false)) return [];
  const used = slotsUsed(slots);
  const hasSlot = lackingIn(hub.spec).length === 0 && used < capacityOf(hub);
  const types = typesIn(hosts);
  const freeOf = new Map(Object.entries(hostCounts(free)));
  const isReserved = tenants.length > 0 && tenants.length <= mostAudiences;
  const facts = { labels, types };
  const known = JSON.stringify(facts).length > mostFacts ? {} : { facts };
  const lot = lotOf(spread(hub.id));
  const reserved = reservedCounts(hosts, tenants);
  const listed = [...new Set(isReserved ? tenants : [wildcard])].flatMap((audience) =>
    [wildcard, ...types].map((type) => ({ audience, type })),
  );
  // A tenant finds hubs with hosts reserved for it in its own lists.
  const own = reserved.map(({ tenant, hostType }) => ({ audience: tenant, type: hostType }));
  const entries = [...listed, ...own].map(({ audience, type }): Entry => {
    const count =
      type === wildcard
        ? Number.POSITIVE_INFINITY
        : (freeOf.get(type) ?? 0) + reservedOf(reserved, type, audience);
    const sk = `${sectionOf(count, hasSlot)}#${lot}#${hub.id}`;
    return { pk: hubsWithPartition(audience, type, region), sk, hub: hub.id, ...known };
  });
  return [...byPlace(entries).values()].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

const typesIn = (hosts: Item | undefined): string[] =>
  Object.entries(hostCounts(hosts))
    .flatMap(([type, count]) => (count > 0 ? [type] : []))
    .sort();

/** An entry in its stored form. */
const itemOf = ({ facts, ...rest }: Entry): Item => ({ ...rest, ...(facts && { facts }) });

/** The entry in an item of a list. Only `towards` writes such items, so the cast is safe. */
export const entryIn = (item: Item): Entry => item as unknown as Entry;

/** The most entries that change in one transaction, beside the hub's own copy of them and the regions. */
const entriesPerTransaction = transactionLimit - 5;

/** Writes that bring the entries of a hub closer to the desired ones, and the entries after these writes. */
export function towards(
  listed: readonly Entry[],
  wanted: readonly Entry[],
): { writes: Write[]; after: Entry[] } {
  const [now, should] = [byPlace(listed), byPlace(wanted)];
  const writes: Write[] = [];
  for (const [place, entry] of should) {
    if (isDeepStrictEqual(now.get(place), entry) || writes.length === entriesPerTransaction)
      continue;
    now.set(place, entry);
    writes.push({ put: itemOf(entry) });
  }
  for (const [place, { pk, sk }] of now) {
    if (should.has(place) || writes.length === entriesPerTransaction) continue;
    now.delete(place);
    writes.push({ delete: { pk, sk } });
  }
  const after = [...now.keys()].sort().flatMap((place) => now.get(place) ?? []);
  return { writes: [...writes, ...regionWrites(listed, after)], after };
}

const placeOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

const byPlace = (entries: readonly Entry[]): Map<string, Entry> =>
  new Map(entries.map((entry) => [placeOf(entry), entry]));

/** Counts the hub in a region with its first entry there, and stops counting it with its last. */
function regionWrites(before: readonly Entry[], after: readonly Entry[]): Write[] {
  const regions = (entries: readonly Entry[]) => new Set(entries.map(({ pk }) => regionOfList(pk)));
  const [had, has] = [regions(before), regions(after)];
  const changes = [
    ...[...has].filter((region) => !had.has(region)).map((region) => ({ region, count: 1 })),
    ...[...had].filter((region) => !has.has(region)).map((region) => ({ region, count: -1 })),
  ];
  return changes.map(({ region, count }) => ({ update: hubRegionKey(region), add: { count } }));
}
