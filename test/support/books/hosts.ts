import { isDeepStrictEqual } from "node:util";
import {
  alertedPartition,
  capacityKey,
  freeHostsKey,
  heldForPartition,
  hostsKey,
  hubRegionKey,
  poolKey,
  roomKey,
  slotsKey,
  standbyKey,
} from "../../../core/kernel/object/hub-keys.ts";
import type { Item } from "../../../core/kernel/store/store.ts";
import { capacitiesOf } from "../../../core/placement/capacity/hub-capacity.ts";
import { standbyOf } from "../../../core/placement/hot-pools/standby.ts";
import { entriesOf } from "../../../core/placement/hubs/room.ts";
import { countedPlace } from "../../../core/placement/pool/counted.ts";
import { reservedBy } from "../../../core/placement/pool/entries.ts";
import { isManaged, isUsable } from "../../../core/placement/pool/host.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import type { Check } from "./check.ts";
import type { SiteBooks } from "./site.ts";
import { Sums } from "./sums.ts";
import { shown, type Table } from "./table.ts";

export const entryOf = ({ table }: SiteBooks, { id, spec }: Host): Item | undefined =>
  table.item(poolKey(spec.hub, spec.host_type, id));

/** Every host is in the pool once, and held by the cluster or the instance that lists it, or by nobody. */
export const pool: Check<SiteBooks> = {
  of: ["pool"],
  wrong(books) {
    const { placed, hosts, table } = books;
    const holders = new Map<string, string[]>();
    const tenants = new Map(placed.map(({ id, metadata }) => [String(id), metadata.tenant]));
    const lost = table.items("pool").flatMap(({ sk, state, owner, g4pk }) => {
      const tenant = tenants.get(String(owner));
      return state === "held" && tenant !== undefined && g4pk !== heldForPartition(tenant)
        ? [`host ${sk} is not found by the tenant of its owner`]
        : [];
    });
    for (const { id, placement } of placed)
      for (const host of Object.values(placement?.hosts ?? {}).flat())
        holders.set(host, [...(holders.get(host) ?? []), id]);
    const known = new Set<string>(hosts.map(({ id }) => id));
    const strange = [...holders].filter(([host]) => !known.has(host));
    const entries = new Set(hosts.map((host) => entryOf(books, host)));
    const stray = table.items("pool").filter((item) => !entries.has(item));
    return [
      ...hosts.flatMap((host) => wrongInHost(host, entryOf(books, host), holders.get(host.id))),
      ...strange.map(([host, by]) => `${by.join(" and ")} lists ${host}, which is no host`),
      ...stray.map((item) => `${shown(item)} is an entry of no host there`),
      ...lost,
    ];
  },
};

function wrongInHost(host: Host, entry: Item | undefined, holders: string[] = []): string[] {
  const { metadata, status, maintenance } = host;
  const { name } = metadata;
  const couldBeTaken = isManaged(host)
    ? isUsable(host)
    : status.agent?.state === "known-unbound" &&
      !maintenance &&
      status.health?.prevents_allocation !== true;
  const wrong: string[] = [];
  if (!entry) wrong.push(`host ${name} is in no pool`);
  if (holders.length > 1) wrong.push(`host ${name} is held by ${holders.join(" and ")}`);
  if ((entry?.state === "held" ? entry.owner : undefined) !== holders[0]) {
    const said = `${String(entry?.state)} (${String(entry?.owner)})`;
    wrong.push(`host ${name} is ${said}, but ${holders[0] ?? "nobody"} lists it`);
  }
  if (entry?.state === "out" && couldBeTaken)
    wrong.push(`host ${name} could be taken and is out of the pool`);
  return wrong;
}

/** Each host with an alert is found by it, and no other one is. */
export const alerted: Check<SiteBooks> = {
  of: [alertedPartition],
  wrong({ hosts, table }) {
    const has = new Set(
      hosts.flatMap(({ id, status }) => (status.health?.alerts.length ? [String(id)] : [])),
    );
    const found = new Set(table.items(alertedPartition).map(({ sk }) => sk));
    return [
      ...[...has.difference(found)].map((id) => `host ${id} has an alert and is not found by it`),
      ...[...found.difference(has)].map((id) => `host ${id} is found by an alert that it lacks`),
    ];
  },
};

/** Every server that stands by has an entry that says how, and no other host has one. */
export const standby: Check<SiteBooks> = {
  of: ["standby"],
  wrong({ hosts, table }) {
    const expected = new Map(
      hosts.flatMap((host) => {
        const { hub, host_type } = host.spec;
        const as = standbyOf(host);
        return as ? [[shown(standbyKey(hub, host_type, host.id)), as] as const] : [];
      }),
    );
    const found = new Map(table.items("standby").map((item) => [shown(item), item.as]));
    return [
      ...[...expected].flatMap(([place, as]) =>
        found.get(place) === as ? [] : [`${place} is ${found.get(place)}, not ${as}`],
      ),
      ...[...found].flatMap(([place]) =>
        expected.has(place) ? [] : [`${place} is of no server that stands by`],
      ),
    ];
  },
};

/** The counters of hubs: of their hosts by type, of the free and the held, and of control planes. */
export const capacity: Check<SiteBooks> = {
  of: ["hosts", "freehosts", "slots"],
  wrong(books) {
    const sums = new Sums();
    for (const host of books.hosts) {
      const { hub, host_type } = host.spec;
      const entry = entryOf(books, host);
      const state = entry?.state;
      const kept = reservedBy(entry);
      if (countedPlace(host)) sums.add(hostsKey(hub), `type:${host_type}`);
      if (kept) sums.add(hostsKey(hub), `kept:${host_type}#${kept.tenant}#${kept.allocation}`);
      else if (state === "free") sums.add(freeHostsKey(hub), `type:${host_type}`);
      if (state === "held") sums.add(freeHostsKey(hub), `held:${host_type}`);
      const as = standbyOf(host);
      if (as) sums.add(freeHostsKey(hub), `${as}:${host_type}`);
    }
    for (const { placement } of books.placed)
      if (placement && !placement.slotless) sums.add(slotsKey(placement.hub), "used");
    return sums.wrongIn(books.table, this.of);
  },
};

/** The lists of hubs with room have the entries of every hub in its present state, and no others. */
export const room: Check = {
  of: ["room", "hubs-with", "hub-region"],
  wrong({ table }) {
    const hubs = table.objects("hub").map((hub) => {
      const [slots, hosts, free] = countersOf(table, hub.id);
      return { hub, entries: entriesOf(hub, { slots, hosts, free }) };
    });
    const regions = new Sums();
    for (const { hub, entries } of hubs)
      if (entries.length > 0) regions.add(hubRegionKey(hub.spec.region ?? ""), "count");
    const expected = new Map(
      hubs.flatMap(({ entries }) => entries).map((each) => [shown(each), each]),
    );
    const listed = table.items("hubs-with");
    return [
      ...hubs.flatMap(({ hub, entries }) =>
        isDeepStrictEqual(table.item(roomKey(hub.id))?.entries ?? [], entries)
          ? []
          : [`hub ${hub.id} does not know its entries in the lists of hubs with room`],
      ),
      ...listed.flatMap((item) =>
        isDeepStrictEqual(item, expected.get(shown(item))) ? [] : [`${shown(item)} is out of date`],
      ),
      ...[...expected].flatMap(([place, entry]) =>
        table.item(entry) ? [] : [`${place} is not listed`],
      ),
      ...regions.wrongIn(table, ["hub-region"]),
    ];
  },
};

/** The capacity of regions is the sum of what its hubs have. */
export const regions: Check = {
  of: ["capacity"],
  wrong({ table }) {
    const sums = new Sums();
    for (const hub of table.objects("hub")) {
      const [slots, hosts, free] = countersOf(table, hub.id);
      for (const { audience, region, counts } of capacitiesOf(hub, { slots, hosts, free }))
        for (const [name, count] of Object.entries(counts))
          sums.add(capacityKey(audience, region, hub.id), name, count);
    }
    return sums.wrongIn(table, this.of);
  },
};

const countersOf = (table: Table, hub: string) =>
  [slotsKey, hostsKey, freeHostsKey].map((keyOf) => table.item(keyOf(hub)));
