import * as z from "zod";
import type { Deps } from "../kernel/deps.ts";
import type { Records } from "../kernel/object/records.ts";
import { isUnreached, lackingIn } from "../placement/hub.ts";
import { hubsOf } from "../placement/hubs.ts";
import { hostQueue, hubQueue, numbersQueue, queueLength, slotQueue } from "../placement/tickets.ts";
import { usageOfHubs } from "../resources/hub/usage.ts";
import { poolName, poolUses, type Site } from "../resources/site/model.ts";
import { usageOfPools } from "../resources/site/pool-usage.ts";
import { sitesOf } from "../resources/site/registered.ts";

/** The capacity of everything that can run out, and the operations that wait for it. */

const resources = ["control_planes", "hosts", ...poolUses] as const;
const whose = {
  hub: z.string().optional().describe("Id of the hub that it is of."),
  site: z.string().optional().describe("Id of the site that it is of."),
  host_type: z.string().optional().describe("Name of the type, of hosts."),
};

export const capacitySchema = z.object({
  items: z
    .array(
      z.object({
        resource: z.enum(resources).describe("What it is."),
        ...whose,
        total: z.int().describe("All there is of it."),
        used: z.int().describe("How much clusters hold."),
        free: z.int().describe("How much orders could claim now."),
        unavailable: z
          .int()
          .describe(
            "Neither: numbers at rest; hosts that are reclaimed, out of service or not discovered.",
          ),
        used_percent: z.int().min(0).max(100).describe("Per cent that orders cannot take."),
        open: z
          .boolean()
          .describe(
            "Whether new orders can get any of it; false where its hub is cordoned or not reached.",
          ),
      }),
    )
    .describe("Everything that orders take, what is used most first."),
  queues: z
    .array(
      z.object({
        waits_for: z
          .enum(["hub", ...resources])
          .describe("The resource of the queue; `hub` stands for any hub that takes orders."),
        site: whose.site,
        host_type: whose.host_type,
        orders: z.int().describe("How many orders wait; 101 stands for all above a hundred."),
      }),
    )
    .describe(
      "Queues with operations in them; an operation that waits for several resources is in several queues.",
    ),
});
export type Capacity = z.output<typeof capacitySchema>;
type Item = Capacity["items"][number];
type Line = Omit<Capacity["queues"][number], "orders"> & { queueName: string };

type CapacityDeps = Pick<Deps, "store" | "kinds" | "clock" | "log">;

/** Reads counters by key, a few for each hub and site, and makes one query for each queue. */
export async function capacityOf(deps: CapacityDeps): Promise<Capacity> {
  const sites = (await sitesOf(deps)).filter(({ spec }) => spec.network);
  const ofHubs = await hubItems(deps);
  const items = [...ofHubs, ...(await siteItems(deps, sites))];
  const types = [...new Set(ofHubs.flatMap(({ host_type = [] }) => host_type))].sort();
  const lines: Line[] = [
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
  const queues = await Promise.all(
    lines.map(async ({ queueName, ...line }) => ({
      ...line,
      orders: await queueLength(deps.store, queueName),
    })),
  );
  return {
    items: items.sort((a, b) => b.used_percent - a.used_percent),
    queues: queues.filter(({ orders }) => orders > 0),
  };
}

async function hubItems(records: Records): Promise<Item[]> {
  const hubs = await hubsOf(records);
  const usages = await usageOfHubs(records.store, hubs);
  return hubs.flatMap((hub, n) => {
    const isWhole = lackingIn(hub.spec).length === 0;
    const open = isWhole && !hub.spec.cordoned && !isUnreached(hub);
    const { control_planes, hosts = [] } = usages[n] ?? {};
    return [
      ...(control_planes
        ? [item({ resource: "control_planes", hub: hub.id, ...control_planes, open })]
        : []),
      ...hosts.map(({ reserved, unavailable: _, ...host }) =>
        item({ resource: "hosts", hub: hub.id, ...host, used: reserved, open }),
      ),
    ];
  });
}

async function siteItems(deps: CapacityDeps, sites: Site[]): Promise<Item[]> {
  const found = sites.map(async (site) => {
    const pools = await usageOfPools(deps, site);
    return poolUses.flatMap((use) => {
      const { orphaned: _, resting: __, ...usage } = pools?.[use] ?? {};
      return "total" in usage ? [item({ resource: use, site: site.id, ...usage, open: true })] : [];
    });
  });
  return (await Promise.all(found)).flat();
}

function item(known: Omit<Item, "unavailable" | "used_percent">): Item {
  const { total, used, free } = known;
  return {
    ...known,
    unavailable: Math.max(0, total - used - free),
    used_percent: total === 0 ? 100 : Math.floor((100 * (total - free)) / total),
  };
}
