import { hours, minutes } from "../core/clock.ts";
import { seeded } from "../test/support/random.ts";
import type { Mix, Settings } from "./arguments.ts";
import { type Chance, chance, type Weights } from "./chance.ts";
import { allocationBeside, lifeOf, type ServerArrival } from "./servers/plan.ts";

/**
 * The plan of what arrives and when. Pure; each order's part is drawn from a number of its own, so that the first
 * orders of a long simulation are the orders of a short one.
 */

export type Change = "scale" | "upgrade" | "retry" | "cancel" | "delete";

/** A request of the provider for a host: maintenance, or its end. */
export type HostChange = "maintain" | "release";

/** Trouble that affects more than one call; see `trouble.ts`. */
export const troubles = [
  "a host dies",
  "an installation fails",
  "a hub is unreachable",
  "a hub's API server restarts",
  "a fabric is unreachable",
  "a DNS server is unreachable",
  "a storage is unreachable",
  "all workers die",
  "Slipway restarts",
] as const;
export type Trouble = (typeof troubles)[number];

const tenants = ["tenant-a", "tenant-b", "tenant-c"] as const;

/** One event, with its time in milliseconds after the start. `draw` determines its details. */
export type Arrival = { at: number; order: number; draw: number } & (
  | { what: "order"; tenant: string }
  | { what: "change"; change: Change }
  | { what: "host"; change: HostChange }
  | { what: "trouble"; trouble: Trouble }
  | ServerArrival
);

/**
 * How often an order has trouble, as a multiple of the rate of faults. Trouble affects all orders.
 */
const troubleForFault = 5;

/** One order in so many has a host put into maintenance: of its cluster, if it has one. */
const oneMaintained = 5;

/** One order in this many is of a server, in a world that also has servers for tenants. */
const oneIsServer = 8;

/** All events in order, in a world with whole servers for tenants or without. */
export function planOf(settings: Settings, hasServers: boolean): Arrival[] {
  const { seed, orders, hours: inHours, faults, mix, hotPool, bareMetal } = settings;
  const gap = hours(inHours) / orders;
  const arrivals = Array.from({ length: orders }, (_, order) => {
    const random = seeded(seed ^ Math.imul(order + 1, 0x9e3779b1));
    const at = Math.floor(gap * (order + random()));
    if (bareMetal || (hasServers && chance(random).oneIn(oneIsServer))) {
      const tenant = chance(random).pick(tenants);
      const trouble = faults * troubleForFault;
      // Networks of their own would use numbers that are scarce for clusters at the sites.
      const mayOwn = bareMetal?.deadDpus === 0;
      const life = lifeOf({ order, at, tenant, trouble, mayOwn, random });
      const common = commonTrouble(order, at, trouble, random);
      return [...life, ...common, ...allocationBeside({ order, at, tenant, random })];
    }
    const stays = hotPool !== undefined && order % 2 === 1;
    return ofOrder({ order, at, faults, mix, stays, random });
  });
  return arrivals.flat().sort((a, b) => a.at - b.at || a.order - b.order);
}

/** Trouble of Slipway and its platform that comes with an order of a server. */
const troublesBesideServers = [
  ...["a hub is unreachable", "a hub's API server restarts", "a fabric is unreachable"],
  ...["all workers die", "Slipway restarts"],
] as Trouble[];

function commonTrouble(order: number, at: number, rate: number, random: () => number): Arrival[] {
  const { pick, below } = chance(random);
  return random() < rate / 2
    ? [{ what: "trouble", trouble: pick(troublesBesideServers), order, at, draw: below(2 ** 31) }]
    : [];
}

interface One {
  order: number;
  at: number;
  faults: number;
  mix: Mix;
  /** Whether nobody deletes the cluster before the end. */
  stays: boolean;
  random: () => number;
}

function ofOrder({ order, at, faults, mix, stays, random }: One): Arrival[] {
  const draws = chance(random);
  const { below, oneIn, pick, weighed } = draws;
  const draw = () => below(2 ** 31);
  const tenant = pick(tenants);
  const lives = livesFor(mix, draws);
  const change = (after: number, change: Change): Arrival => ({
    ...{ what: "change", change, order, draw: draw() },
    at: at + after,
  });
  const maintenance = (): Arrival[] => {
    const from = at + below(lives);
    const to = from + minutes(5) + below(hours(2));
    return [
      { what: "host", change: "maintain", order, draw: draw(), at: from },
      { what: "host", change: "release", order, draw: draw(), at: to },
    ];
  };
  const changed = Array.from({ length: below(mostChanges[mix] + 1) }, () =>
    change(below(lives), weighed(changes[mix])),
  );
  return [
    { what: "order", tenant, order, at, draw: draw() },
    ...changed,
    ...(oneIn(8) ? [change(below(minutes(40)), "cancel")] : []),
    ...(oneIn(4) ? [change(minutes(20) + below(lives), "retry")] : []),
    ...(stays ? [] : [change(lives, "delete")]),
    ...(random() < troubleForFault * faults
      ? [{ what: "trouble", trouble: pick(troubles), order, at, draw: draw() } as const]
      : []),
    ...(oneIn(oneMaintained) ? maintenance() : []),
  ];
}

const mostChanges: Record<Mix, number> = { orders: 2, sizes: 12 };

const changes: Record<Mix, Weights<Change>> = {
  orders: { scale: 3, upgrade: 1 },
  sizes: { scale: 8, upgrade: 1, cancel: 1 },
};

/** The time until the tenant deletes a cluster; sometimes during its creation. */
function livesFor(mix: Mix, { below, oneIn }: Chance): number {
  if (oneIn(8)) return below(minutes(40));
  return mix === "orders" ? minutes(30) + below(hours(3)) : hours(1) + below(hours(5));
}
