import type { Records } from "../../kernel/object/records.ts";
import { type Constraints, couldServe, hostsFor, mismatch } from "../hubs/candidate.ts";
import { candidatesOf, type Stocked, stockedFew } from "../hubs/read.ts";
import { audiences } from "./hub-capacity.ts";
import { capacityByRegion, type RegionCapacity } from "./region-capacity.ts";

/**
 * Finds orders that no wait can serve: they need more hosts on one hub than are registered on any hub that may serve
 * them. Hosts in every state but retired count, and hubs in every state: busy, quarantined, cordoned or unreachable
 * ones may become usable again.
 */

/** The hosts that are needed at once, by type. */
export type WantedHosts = ReadonlyMap<string, number>;

/** The registered hosts: counted by hub if there are few hubs, else by the relay's sums for each region. */
export type Fleet = { hubs: readonly Stocked[] } | Sums;

interface Sums {
  open: readonly RegionCapacity[];
  /** The sums of hubs that take no orders now; some of these hubs may serve other tenants only. */
  closed: readonly RegionCapacity[];
}

/** Too few hosts of a type. */
export interface TypeShortage {
  asked: number;
  /** The largest number on one hub. */
  most: number;
  /** On all hubs that may serve the order. */
  total: number;
  /** The regions with these hosts. */
  regions: string[];
  /** Other regions that have hosts of this type. */
  elsewhere: string[];
}

/** The shortage of an order, by type. Empty if each type alone is sufficient, but no hub has enough of all types. */
export type Shortage = ReadonlyMap<string, TypeShortage>;

/** Up to this number of hubs, each order reads the hosts of all. */
const few = 10;
/** Up to this number of hubs, they are read before an order is refused. */
const some = 100;

/** The fleet that a tenant may use. */
export async function fleetFor(records: Records, tenant: string): Promise<Fleet> {
  const hubs = await stockedFew(records, few);
  if (hubs) return { hubs };
  const [open, closed] = await Promise.all([
    capacityByRegion(records.store, [audiences.everybody, tenant]),
    capacityByRegion(records.store, [audiences.closed]),
  ]);
  return { open, closed };
}

/** The hosts of one hub, for owners that cannot leave it. */
export const fleetOn = async (records: Records, hub: string): Promise<Fleet> => ({
  hubs: await candidatesOf(records, [hub]),
});

/** The shortage of desired hosts; undefined if some hub has all of them, as far as the fleet shows. */
export async function shortageOf(
  records: Records,
  fleet: Fleet,
  where: Constraints,
  wanted: WantedHosts,
): Promise<Shortage | undefined> {
  if (wanted.size === 0) return undefined;
  if ("hubs" in fleet) return shortOnHubs(fleet.hubs, where, wanted);
  const short = shortInRegions(fleet, where, wanted);
  if (!short) return undefined;
  // The sums may lag, and do not distinguish labels and sites.
  const hubs = await stockedFew(records, some);
  return hubs ? shortOnHubs(hubs, where, wanted) : short;
}

function shortOnHubs(
  hubs: readonly Stocked[],
  where: Constraints,
  wanted: WantedHosts,
): Shortage | undefined {
  const { region: _, ...anywhere } = where;
  const staying = hubs.filter(({ hub }) => hub.metadata.deletion_timestamp === undefined);
  const usable = staying.filter(({ hub }) => mismatch(hub, where) === undefined);
  const needs = Object.fromEntries(wanted);
  if (usable.some((each) => couldServe(each, { where, needs }))) return undefined;
  const others = staying.filter(
    (each) => !usable.includes(each) && mismatch(each.hub, anywhere) === undefined,
  );
  return lacking(wanted, (type) => {
    const counted = (each: Stocked) => hostsFor(each, type, where.tenant);
    const regionsOf = (those: readonly Stocked[]) =>
      those.flatMap((each) => (counted(each) > 0 ? (each.hub.spec.region ?? []) : []));
    return {
      most: Math.max(0, ...usable.map(counted)),
      total: usable.reduce((sum, each) => sum + counted(each), 0),
      regions: sorted(regionsOf(usable)),
      elsewhere: sorted(regionsOf(others)),
    };
  });
}

/** Sums do not show single hubs: a region may have enough hosts in total, but no hub with enough. */
function shortInRegions(
  { open, closed }: Sums,
  { region }: Constraints,
  wanted: WantedHosts,
): Shortage | undefined {
  // A hub without a region fits any region.
  const isHere = (each: RegionCapacity) =>
    region === undefined || each.region === region || each.region === "";
  const totalIn = (regions: readonly RegionCapacity[], type: string) =>
    regions.filter(isHere).reduce((sum, { hosts }) => sum + (hosts.get(type)?.total ?? 0), 0);
  const short = new Map(
    [...wanted].filter(([type, count]) => count > totalIn(open, type) + totalIn(closed, type)),
  );
  if (short.size === 0) return undefined;
  return lacking(short, (type) => {
    const having = open.flatMap((each) => {
      const { total = 0, kept = 0, own = 0 } = each.hosts.get(type) ?? {};
      const count = total - kept + own;
      return count > 0 ? [{ ...each, count }] : [];
    });
    const total = having.filter(isHere).reduce((sum, { count }) => sum + count, 0);
    return {
      ...{ most: total, total },
      regions: sorted(having.filter(isHere).map((each) => each.region)),
      elsewhere: sorted(having.filter((each) => !isHere(each)).map((each) => each.region)),
    };
  });
}

const lacking = (
  wanted: WantedHosts,
  found: (type: string) => Omit<TypeShortage, "asked">,
): Shortage =>
  new Map(
    [...wanted].flatMap(([type, asked]) => {
      const lack = { asked, ...found(type) };
      return lack.most < asked ? [[type, lack] as const] : [];
    }),
  );

const sorted = (regions: readonly string[]): string[] =>
  [...new Set(regions)].filter((region) => region !== "").sort();
