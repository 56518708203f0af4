import {
  allocationHostsKey,
  freeHostsKey,
  poolKey,
  slotsKey,
} from "../../../core/kernel/object/hub-keys.ts";
import type { PlacedKind } from "../../../core/kernel/object/traits.ts";
import { mayGoOn } from "../../../core/kernel/saga/fence.ts";
import type { SqliteStore } from "../../../core/kernel/store/sqlite/sqlite.ts";
import { type Hub, takesOrders } from "../../../core/placement/hubs/hub.ts";
import { rackIn } from "../../../core/placement/pool/entries.ts";
import { rackOf } from "../../../core/placement/pool/host.ts";
import { hostCounts, slotsUsed } from "../../../core/placement/pool/host-counts.ts";
import { allocationCounts } from "../../../core/placement/pool/reserved.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { allocations } from "../books/allocations.ts";
import type { Check } from "../books/check.ts";
import { claims } from "../books/claims.ts";
import { counts, uses } from "../books/counters.ts";
import { capacity, pool, regions, room, standby } from "../books/hosts.ts";
import { indexes } from "../books/indexes.ts";
import { numbers } from "../books/numbers.ts";
import { operations } from "../books/operations.ts";
import { quotas } from "../books/quotas.ts";
import { outsidePrefixes, references } from "../books/resources.ts";
import type { SiteBooks } from "../books/site.ts";
import { Table } from "../books/table.ts";
import type { TestDeps } from "../deps.ts";
import type { Watch } from "./staged-store.ts";

/** What must be so of a store at any time once the relay has seen to everything. */

const checks: readonly Check<SiteBooks>[] = [
  ...[claims, counts, uses(references), indexes, operations],
  ...[pool, standby, capacity, allocations, room, regions, numbers, quotas, outsidePrefixes],
];

const placedKinds = ["cluster", "baremetal_instance"] as const satisfies PlacedKind[];

/** What is wrong in a store. `before`: who has had which host before the last that happened. */
export function wrongIn(
  deps: Pick<TestDeps, "store" | "clock">,
  before?: ReadonlySet<string>,
): string[] {
  const table = new Table(deps.store, kinds);
  const placed = placedKinds.flatMap((kind) => table.objects(kind));
  const books: SiteBooks = {
    ...{ table, kinds, placed, now: deps.clock.now(), wall: deps.clock.now() },
    clusters: table.objects("cluster"),
    hosts: table.objects("host"),
    sited: [...placed, ...table.objects("nat_gateway"), ...table.objects("external_ip_attachment")],
    world: { ledger: () => [] },
    secrets: new Set(),
  };
  return [
    ...checks.flatMap((check) => check.wrong(books)),
    ...table.objects("hub").flatMap((hub) => beyondIn(table, hub)),
    ...waysOutIn(table),
    ...prefixesIn(table),
    ...racksIn(table),
    ...(before ? lateIn(books, before) : []),
  ];
}

/** Who has a network's way out has an address to go out with, and the other way round. */
function waysOutIn(table: Table): string[] {
  const ways = new Set(table.items("nat-gateway-of").map((item) => String(item.nat_gateway)));
  const users = new Set(
    table
      .objects("external_ip")
      .flatMap(({ attached_to: user }) => (user?.kind === "nat_gateway" ? [user.id] : [])),
  );
  return [...ways.symmetricDifference(users)].map((id) => `gateway ${id} has one of two things`);
}

/** No two pools have the same addresses. */
function prefixesIn(table: Table): string[] {
  const all = table.objects("external_ip_pool").flatMap(({ spec }) => spec.cidrs);
  return all.length === new Set(all).size ? [] : [`pools have ${all.toSorted().join(", ")}`];
}

/** Free hosts are found by their racks. */
const racksIn = (table: Table): string[] =>
  table.objects("host").flatMap((host) => {
    const entry = table.item(poolKey(host.spec.hub, host.spec.host_type, host.id));
    return entry?.state === "free" && rackIn(entry) !== rackOf(host)
      ? [`host ${host.id} is in rack ${rackOf(host)}, and found in ${rackIn(entry)}`]
      : [];
  });

/** What a hub has beyond its bounds. */
function beyondIn(table: Table, { id, spec }: Hub): string[] {
  const used = slotsUsed(table.item(slotsKey(id)));
  const free = table.item(freeHostsKey(id));
  const pools = Object.entries(spec.hot_pools ?? {}).flatMap(([type, { max }]) => {
    const has = (hostCounts(free)[type] ?? 0) + (hostCounts(free, "coming")[type] ?? 0);
    return has > max ? [`the hot pool of ${type} has ${has} of ${max}`] : [];
  });
  return [
    ...pools,
    ...(used > (spec.capacity ?? 0) ? [`hub ${id} has ${used} control planes`] : []),
  ];
}

/** Who holds which host: `<owner> <host>`. */
export function heldIn({ store }: Pick<TestDeps, "store">): Set<string> {
  return heldBy(new Table(store, kinds));
}

const heldBy = (table: Table): Set<string> =>
  new Set(
    placedKinds
      .flatMap((kind) => table.objects(kind))
      .flatMap(({ id, placement }) =>
        Object.values(placement?.hosts ?? {}).flatMap((hosts) =>
          hosts.map((host) => `${id} ${host}`),
        ),
      ),
  );

/** Who has got a host though its order was to stop, or its first one though the hub takes no orders. */
function lateIn({ table, placed }: SiteBooks, before: ReadonlySet<string>): string[] {
  const going = new Set(
    table
      .objects("operation")
      .filter(mayGoOn)
      .map(({ id }) => id),
  );
  const closed = new Set(
    table
      .objects("hub")
      .filter((hub) => !takesOrders(hub))
      .map(({ id }) => id),
  );
  const has = (held: ReadonlySet<string>, id: string) =>
    [...held].some((each) => each.startsWith(`${id} `));
  const late = heldBy(table).difference(before);
  return placed.flatMap(({ id, operation, placement }) => {
    if (!placement || !has(late, id)) return [];
    if (operation === undefined || !going.has(operation))
      return [`${id} has got hosts, and was to stop`];
    return closed.has(placement.hub) && !has(before, id)
      ? [`${id} is on ${placement.hub}, which takes no orders`]
      : [];
  });
}

/** What transactions change step by step, and the relay would mend. */
interface Counted {
  /** What each allocation has, and is to have. */
  kept: Map<string, { total: number; reserved: number }>;
  /** What each hot pool has that is free or on its way, and is to have at least. */
  pools: Map<string, { ready: number; min: number }>;
  free: number;
  held: number;
  /** Hosts in maintenance that orders can claim. */
  out: string[];
}

const watchedWords = ["allocation", "allocation-hosts", "freehosts", "host", "hub", "pool"];

function countedIn(store: SqliteStore): Counted {
  const items = () => watchedWords.flatMap((word) => store.items(`${word}#`));
  const table = new Table({ items }, kinds);
  const kept = table.objects("allocation").map(({ id, spec: { reserved } }) => {
    const { free, used } = allocationCounts(table.item(allocationHostsKey(id)));
    return [id, { total: free + used, reserved }] as const;
  });
  const pools = table.objects("hub").flatMap(({ id, spec }) =>
    Object.entries(spec.hot_pools ?? {}).map(([type, { min }]) => {
      const counts = table.item(freeHostsKey(id));
      const ready = (hostCounts(counts)[type] ?? 0) + (hostCounts(counts, "coming")[type] ?? 0);
      return [`${id} ${type}`, { ready, min }] as const;
    }),
  );
  const sum = (count: "type" | "held") =>
    table
      .items("freehosts")
      .flatMap((item) => Object.values(hostCounts(item, count)))
      .reduce((all, each) => all + each, 0);
  const out = table.objects("host").flatMap(({ id, spec, maintenance }) => {
    const entry = table.item(poolKey(spec.hub, spec.host_type, id));
    return maintenance && entry?.state === "free" ? [id] : [];
  });
  return { kept: new Map(kept), pools: new Map(pools), free: sum("type"), held: sum("held"), out };
}

function madeWrong(before: Counted, after: Counted): string[] {
  const wrong: string[] = [];
  for (const [id, { total, reserved }] of after.kept) {
    const had = before.kept.get(id)?.total ?? 0;
    const isLess = total < had && after.free > before.free;
    if ((total > reserved && total > had) || (total < reserved && isLess))
      wrong.push(`allocation ${id} is to have ${reserved}, and goes from ${had} to ${total}`);
  }
  for (const [pool, { ready, min }] of after.pools) {
    const had = before.pools.get(pool)?.ready ?? 0;
    if (ready < min && ready < had && after.held === before.held)
      wrong.push(`hot pool ${pool} is to have ${min}, and goes from ${had} to ${ready}`);
  }
  for (const id of after.out)
    if (!before.out.includes(id)) wrong.push(`host ${id} is in maintenance, and can be claimed`);
  return wrong;
}

/** What no transaction may make wrong, not even until the relay sees it. */
export const watched = (store: SqliteStore): Watch<Counted> => ({
  look: () => countedIn(store),
  wrong: madeWrong,
});
