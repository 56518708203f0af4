import type * as z from "zod";
import { sitesOf } from "../at-site/registered.ts";
import { poolName, poolUses, type Site } from "../at-site/site.ts";
import type { Deps } from "../kernel/deps.ts";
import { kindPartition } from "../kernel/object/keys.ts";
import { objectsIn } from "../kernel/object/records.ts";
import type { Key, Store } from "../kernel/store/store.ts";
import { audiences } from "../placement/capacity/hub-capacity.ts";
import { capacityByRegion } from "../placement/capacity/region-capacity.ts";
import {
  noteUses,
  regionUseKey,
  type Trend,
  trendsOf,
  type Use,
} from "../placement/capacity/trend.ts";
import { hubsOf } from "../placement/hubs/read.ts";
import {
  hostQueue,
  hubQueue,
  numbersQueue,
  slotQueue,
  waitersIn,
} from "../placement/queues/tickets.ts";
import type { ExternalIpPool } from "../resources/external-ip-pool/model.ts";
import { countsOf } from "../resources/external-ip-pool/usage.ts";
import { usageOfHubs, usesOfHubs } from "../resources/hub/usage.ts";
import { usageOfPools } from "../resources/site/pool-usage.ts";
import type { Capacity, capacityItemSchema, queueSchema } from "./capacity-schema.ts";

/** The capacity of every limited resource, and the operations that wait for it. */

type Item = z.output<typeof capacityItemSchema>;
type Queue = z.output<typeof queueSchema>;
/** An item without its queue and its trend. */
type Known = Omit<Item, "waiting" | "per_day" | "days_left">;
type Line = Omit<Queue, "orders"> & { queueName: string };

/** A queue with the operations in it; one more than are counted stands for all later ones. */
export type Standing = Omit<Queue, "orders"> & { operations: ReadonlySet<string> };

type CapacityDeps = Pick<Deps, "store" | "kinds" | "clock" | "log">;

/** Reads the counters of regions, a few for each site, and makes one query for each queue. */
export async function capacityOf(deps: CapacityDeps): Promise<Capacity> {
  const { items, standing } = await capacityWithQueues(deps);
  return { items, queues: queuesIn(standing) };
}

/** The queues, each with the number of operations in it. */
export const queuesIn = (standing: Standing[]): Queue[] =>
  standing.map(({ operations, ...line }) => ({ ...line, orders: operations.size }));

/** The capacity, the queues that are not empty with their operations, and the sites that have pools. */
export async function capacityWithQueues(
  deps: CapacityDeps,
): Promise<{ items: Item[]; standing: Standing[]; sites: Site[] }> {
  const reading = sourcesOf(deps);
  const [{ sites }, ofAll, ofSources, known] = await Promise.all([
    reading,
    queuesOf(deps, linesOfAll),
    reading.then((sources) => queuesOf(deps, linesOf(sources))),
    reading.then((sources) => withTrends(deps, sources)),
  ]);
  const standing = [...ofAll, ...ofSources];
  const items = known.map((each) => ({
    ...each,
    waiting: standing.find((line) => isFor(line, each))?.operations.size ?? 0,
  }));
  return {
    items: items.sort((a, b) => b.used_percent - a.used_percent),
    standing: standing.filter(({ operations }) => operations.size > 0),
    sites,
  };
}

/** Records once a day how much of everything is used. */
export const noteCapacity = (deps: CapacityDeps): Promise<void> =>
  noteUses(deps, async () => {
    const known = await itemsIn(deps, await sourcesOf(deps));
    const hubs = await hubsOf(deps);
    return [...usesOf(known).values(), ...usesOfHubs(hubs, await usageOfHubs(deps.store, hubs))];
  });

/** What has the counters: the hubs, whose sums are items already, the sites with networks, and the pools of addresses. */
interface Sources {
  ofHubs: Known[];
  sites: Site[];
  pools: ExternalIpPool[];
}

async function sourcesOf(deps: CapacityDeps): Promise<Sources> {
  const [ofHubs, sites, pools] = await Promise.all([
    hubItems(deps.store),
    sitesOf(deps),
    externalIpPools(deps),
  ]);
  return { ofHubs, sites: sites.filter(({ spec }) => spec.network), pools };
}

async function itemsIn(deps: CapacityDeps, { ofHubs, sites, pools }: Sources): Promise<Known[]> {
  const others = await Promise.all([siteItems(deps, sites), externalIpItems(deps, pools)]);
  return [...ofHubs, ...others.flat()];
}

/** The items with their trends; without, where orders cannot get an item now. Both are read at once. */
async function withTrends(deps: CapacityDeps, sources: Sources): Promise<(Known & Trend)[]> {
  const [known, trendOf] = await Promise.all([
    itemsIn(deps, sources),
    trendsOf(deps, useKeysIn(sources)),
  ]);
  const uses = usesOf(known);
  return known.map((each) => {
    const key = useKeyOf(each);
    const used = uses.get(key.sk)?.used ?? 0;
    return { ...each, ...(each.open && trendOf(key, { used, free: each.free })) };
  });
}

/** The keys of the uses of all items, which follow from their sources. */
const useKeysIn = ({ ofHubs, sites, pools }: Sources): Key[] => [
  ...ofHubs.filter(({ open }) => open).map(useKeyOf),
  ...sites.flatMap(({ id }) => poolUses.map((use) => regionUseKey(use, id))),
  ...pools.map(({ metadata }) => regionUseKey("external_ips", metadata.name)),
];

const queuesOf = (deps: CapacityDeps, lines: readonly Line[]): Promise<Standing[]> =>
  Promise.all(
    lines.map(async ({ queueName, ...line }) => ({
      ...line,
      operations: await waitersIn(deps.store, queueName),
    })),
  );

/** Uses by their names. The hosts and control planes of a cordoned hub still count. */
function usesOf(known: Known[]): Map<string, Use> {
  const uses = new Map<string, Use>();
  for (const each of known) {
    const key = useKeyOf(each);
    uses.set(key.sk, { key, used: (uses.get(key.sk)?.used ?? 0) + each.used });
  }
  return uses;
}

const useKeyOf = ({ resource, site, region, host_type, pool: of }: Known): Key =>
  regionUseKey(resource, of ?? site ?? region, host_type);

/** Whether a queue is for this item. */
const isFor = (line: Standing, { resource, site, host_type }: Known): boolean =>
  line.waits_for === resource && line.site === site && line.host_type === host_type;

/** The queues that do not depend on what there is. */
const linesOfAll: readonly Line[] = [
  { waits_for: "hub", queueName: hubQueue },
  { waits_for: "control_planes", queueName: slotQueue },
];

function linesOf({ ofHubs, sites }: Sources): Line[] {
  const types = [...new Set(ofHubs.flatMap(({ host_type = [] }) => host_type))].sort();
  return [
    ...types.map(
      (host_type): Line => ({
        ...{ waits_for: "hosts", host_type },
        queueName: hostQueue(host_type),
      }),
    ),
    ...sites.flatMap(({ id: site }) =>
      poolUses.map(
        (use): Line => ({
          ...{ waits_for: use, site },
          queueName: numbersQueue(poolName(site, use)),
        }),
      ),
    ),
  ];
}

/** The combined items of the hubs of each region: of hubs that take orders, and of hubs that do not. */
async function hubItems(store: Store): Promise<Known[]> {
  const { everybody, kept, closed } = audiences;
  const found = await Promise.all(
    [
      { open: true, seen: [everybody, kept] },
      { open: false, seen: [closed] },
    ].map(async ({ open, seen }) =>
      (await capacityByRegion(store, seen)).flatMap(({ region, control_planes, hosts }) => {
        const where = { ...(region && { region }), open };
        return [
          ...(control_planes.total > 0
            ? [item({ resource: "control_planes", ...where, ...control_planes })]
            : []),
          ...[...hosts].map(([host_type, { own: _, ...amount }]) =>
            item({ resource: "hosts", ...where, host_type, ...amount }),
          ),
        ];
      }),
    ),
  );
  return found.flat();
}

async function siteItems(deps: CapacityDeps, sites: Site[]): Promise<Known[]> {
  const found = sites.map(async (site) => {
    const pools = await usageOfPools(deps, site);
    return poolUses.flatMap((use) => {
      const { orphaned: _, ...usage } = pools?.[use] ?? {};
      return "total" in usage ? [item({ resource: use, site: site.id, ...usage, open: true })] : [];
    });
  });
  return (await Promise.all(found)).flat();
}

/** All pools of outside addresses, including tenants' own. */
async function externalIpPools(deps: CapacityDeps): Promise<ExternalIpPool[]> {
  const found: ExternalIpPool[] = [];
  const pk = kindPartition("external_ip_pool");
  for await (const page of objectsIn<"external_ip_pool">(deps, { index: "g4", pk }))
    found.push(...page);
  return found;
}

/** Without pools that are larger than a safe integer, since these never run out. */
async function externalIpItems(deps: CapacityDeps, pools: ExternalIpPool[]): Promise<Known[]> {
  const found = await Promise.all(
    pools.map(async (each) => {
      const { metadata, spec } = each;
      const { total, allocated, resting, available } = await countsOf(deps, each);
      const where = { pool: metadata.name, ...(spec.site && { site: spec.site.id }), open: true };
      const amount = { total, used: allocated, resting, free: available };
      return item({ resource: "external_ips", ...where, ...amount });
    }),
  );
  return found.filter(({ total }) => Number.isSafeInteger(total));
}

/** Items by how long they will last, shortest first: exhausted ones, then by their trends, then by use. */
export function nextOut(items: readonly Item[]): Item[] {
  const daysOf = ({ free, days_left }: Item) =>
    free === 0 ? 0 : (days_left ?? Number.MAX_SAFE_INTEGER);
  return items
    .filter(({ open }) => open)
    .toSorted((a, b) => daysOf(a) - daysOf(b) || b.used_percent - a.used_percent);
}

function item(known: Omit<Known, "unavailable" | "used_percent">): Known {
  const { total, used, free, kept = 0 } = known;
  return {
    ...known,
    unavailable: Math.max(0, total - used - free - kept),
    used_percent: total === 0 ? 100 : Math.floor((100 * (total - free)) / total),
  };
}
