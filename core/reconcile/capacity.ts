import * as z from "zod";
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
  trendSchema,
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
import { countsOf } from "../resources/external-ip-pool/usage.ts";
import { usageOfHubs, usesOfHubs } from "../resources/hub/usage.ts";
import { usageOfPools } from "../resources/site/pool-usage.ts";

/** The capacity of every limited resource, and the operations that wait for it. */

/** Resources that orders queue for, and without which they are refused. */
const queuedFor = ["control_planes", "hosts", ...poolUses] as const;
const resources = [...queuedFor, "external_ips"] as const;
const whose = {
  region: z.string().optional().describe("Region of the hubs."),
  site: z.string().optional().describe("Id of the site."),
  host_type: z.string().optional().describe("For hosts: name of their type."),
};
const pool = z.string().optional().describe("For external IPs: name of their pool.");

export const capacityItemSchema = z.object({
  resource: z.enum(resources).describe("What it is."),
  ...whose,
  pool,
  total: z.int().describe("The total."),
  used: z.int().describe("Number in use."),
  free: z.int().describe("Number that orders can claim now."),
  kept: z
    .int()
    .optional()
    .describe("For hosts: number of free hosts that allocations reserve for tenants."),
  unavailable: z
    .int()
    .describe(
      "Neither in use nor free: released numbers that cannot be used yet; hosts that are reclaimed, out of service or not discovered.",
    ),
  resting: z
    .int()
    .optional()
    .describe("For numbers: how many were released recently and will become free by themselves."),
  waiting: z
    .int()
    .describe(
      "Number of orders in its queue; for hosts and control planes, of all regions. 101 stands for more than a hundred.",
    ),
  ...trendSchema,
  used_percent: z.int().min(0).max(100).describe("Percentage that orders cannot claim."),
  open: z
    .boolean()
    .describe(
      "Whether it is available to new orders; false for hubs that are cordoned, unreachable or lack a setting.",
    ),
});

/** The resources that operations queue for. */
export const scarceSchema = {
  waits_for: z
    .enum(["hub", ...queuedFor])
    .describe("The resource of the queue; `hub` stands for any hub that takes orders."),
  site: whose.site,
  host_type: whose.host_type,
};

export const queueSchema = z.object({
  ...scarceSchema,
  orders: z.int().describe("Number of orders that wait; 101 stands for more than a hundred."),
});

export const capacitySchema = z.object({
  items: z
    .array(capacityItemSchema)
    .describe("All resources that orders use, the most used first."),
  queues: z
    .array(queueSchema)
    .describe(
      "Queues with operations in them; an operation that waits for several resources is in several queues.",
    ),
});
export type Capacity = z.output<typeof capacitySchema>;
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

/** The capacity, and the queues that are not empty with their operations. */
export async function capacityWithQueues(
  deps: CapacityDeps,
): Promise<{ items: Item[]; standing: Standing[] }> {
  const { sites, ofHubs, known } = await everything(deps);
  const standing = await Promise.all(
    linesOf(ofHubs, sites).map(async ({ queueName, ...line }) => ({
      ...line,
      operations: await waitersIn(deps.store, queueName),
    })),
  );
  const trends = await trendsOfItems(deps, known);
  const items = known.map((each, n) => ({
    ...each,
    ...trends[n],
    waiting: standing.find((line) => isFor(line, each))?.operations.size ?? 0,
  }));
  return {
    items: items.sort((a, b) => b.used_percent - a.used_percent),
    standing: standing.filter(({ operations }) => operations.size > 0),
  };
}

/** Records once a day how much of everything is used. */
export const noteCapacity = (deps: CapacityDeps): Promise<void> =>
  noteUses(deps, async () => {
    const { known } = await everything(deps);
    const hubs = await hubsOf(deps);
    return [...usesOf(known).values(), ...usesOfHubs(hubs, await usageOfHubs(deps.store, hubs))];
  });

async function everything(deps: CapacityDeps) {
  const sites = (await sitesOf(deps)).filter(({ spec }) => spec.network);
  const ofHubs = await hubItems(deps.store);
  const others = await Promise.all([siteItems(deps, sites), externalIpItems(deps)]);
  return { sites, ofHubs, known: [...ofHubs, ...others.flat()] };
}

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

/** The trends of items, in their order; empty for an item that orders cannot get now. */
async function trendsOfItems(deps: CapacityDeps, known: Known[]): Promise<Trend[]> {
  const uses = usesOf(known);
  const asked = known.map((each) => {
    const key = useKeyOf(each);
    return { key, used: uses.get(key.sk)?.used ?? 0, free: each.free };
  });
  const trends = await trendsOf(deps, asked);
  return known.map(({ open }, n) => (open ? (trends[n] ?? {}) : {}));
}

/** Whether a queue is for this item. */
const isFor = (line: Standing, { resource, site, host_type }: Known): boolean =>
  line.waits_for === resource && line.site === site && line.host_type === host_type;

function linesOf(ofHubs: Known[], sites: Site[]): Line[] {
  const types = [...new Set(ofHubs.flatMap(({ host_type = [] }) => host_type))].sort();
  return [
    { waits_for: "hub", queueName: hubQueue },
    { waits_for: "control_planes", queueName: slotQueue },
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

/**
 * Pools of outside addresses, including tenants' own; without pools that are larger than a safe integer, since these
 * never run out.
 */
async function externalIpItems(deps: CapacityDeps): Promise<Known[]> {
  const found: Promise<Known>[] = [];
  const pk = kindPartition("external_ip_pool");
  for await (const page of objectsIn<"external_ip_pool">(deps, { index: "g4", pk }))
    found.push(
      ...page.map(async (each) => {
        const { metadata, spec } = each;
        const { total, allocated, resting, available } = await countsOf(deps, each);
        const where = { pool: metadata.name, ...(spec.site && { site: spec.site.id }), open: true };
        const amount = { total, used: allocated, resting, free: available };
        return item({ resource: "external_ips", ...where, ...amount });
      }),
    );
  return (await Promise.all(found)).filter(({ total }) => Number.isSafeInteger(total));
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
