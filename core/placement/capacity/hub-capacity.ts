import { isDeepStrictEqual } from "node:util";
import { capacityKey, shareKey } from "../../kernel/object/hub-keys.ts";
import { absent, eq, type Item, transactionLimit, type Write } from "../../kernel/store/store.ts";
import { capacityOf } from "../hubs/candidate.ts";
import { type Hub, takesOrders } from "../hubs/hub.ts";
import type { Counters } from "../hubs/room.ts";
import { hostCounts, slotsUsed } from "../pool/host-counts.ts";
import { type ReservedCount, reservedCounts, reservedOf } from "../pool/reserved.ts";

/**
 * The shares of hubs in the capacity of their regions. They show the remaining capacity without a read of all hubs. The
 * relay updates the share after a claim: four write units for a hub that serves everybody; two more for each tenant of
 * a hub that is reserved for some. Pure.
 */

/** Audiences: sets of hubs whose capacity is summed. No tenant has a '*' in its name. */
export const audiences = {
  /** Hubs that are reserved for some tenants; each of these tenants is also an audience. */
  everybody: "*",
  /** Hubs that are reserved for some tenants; each of these tenants is an audience too. */
  kept: "*kept",
  /** Hubs that take no orders. */
  closed: "*closed",
} as const;

/** A hub's share in the capacity that one audience sees. */
export interface HubCapacity {
  audience: string;
  region: string;
  counts: Record<string, number>;
}

/** The names of counts, and the prefixes of names that end with a host type. */
export const countNames = {
  slots: "slots",
  usedSlots: "used-slots",
  freeSlots: "free-slots",
  hosts: "hosts:",
  freeHosts: "free:",
  heldHosts: "held:",
  /** Free hosts that are reserved by allocations. */
  keptHosts: "kept:",
  /** The part of these that is reserved for the audience's own tenant; they also count as free. */
  ownHosts: "own:",
} as const;

function audiencesOf(hub: Hub): string[] {
  const { tenants = [] } = hub.spec;
  if (!takesOrders(hub)) return [audiences.closed];
  return tenants.length === 0 ? [audiences.everybody] : [audiences.kept, ...new Set(tenants)];
}

/** The shares of a hub in its present state. */
export function capacitiesOf(hub: Hub, { slots, hosts, free }: Counters): HubCapacity[] {
  const [capacity, used] = [capacityOf(hub), slotsUsed(slots)];
  const counts: Record<string, number> = {
    [countNames.slots]: capacity,
    [countNames.usedSlots]: used,
    [countNames.freeSlots]: Math.max(0, capacity - used),
  };
  for (const [type, total] of Object.entries(hostCounts(hosts))) {
    counts[countNames.hosts + type] = total;
    counts[countNames.freeHosts + type] = hostCounts(free)[type] ?? 0;
    counts[countNames.heldHosts + type] = hostCounts(free, "held")[type] ?? 0;
  }
  const reserved = reservedCounts(hosts);
  for (const { hostType } of reserved)
    counts[countNames.keptHosts + hostType] = reservedOf(reserved, hostType);
  const seen = audiencesOf(hub);
  const { region = "" } = hub.spec;
  const shares = seen.map((audience) => ({ audience, region, counts: { ...counts } }));
  if (takesOrders(hub))
    shares.push(...reservedCapacities(shares, reservedCounts(hosts, hub.spec.tenants), region));
  return shares.map(({ counts, ...share }) => ({
    ...share,
    counts: Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)),
  }));
}

/**
 * Adds the hosts that are reserved for tenants to the tenants' own shares; answers new shares for tenants without one.
 */
function reservedCapacities(
  shares: readonly HubCapacity[],
  reserved: readonly ReservedCount[],
  region: string,
): HubCapacity[] {
  const more: HubCapacity[] = [];
  for (const { tenant, hostType, count } of reserved) {
    let share = [...shares, ...more].find(({ audience }) => audience === tenant);
    if (!share) {
      share = { audience: tenant, region, counts: {} };
      more.push(share);
    }
    for (const name of [countNames.freeHosts, countNames.ownHosts])
      share.counts[name + hostType] = (share.counts[name + hostType] ?? 0) + count;
  }
  return more;
}

/** A share as it is stored. Only `capacityWrites` writes such items, so the cast is safe. */
type StoredCapacity = Item & HubCapacity & { revision: number };

/** The writes of a share and its sums in one transaction: a hub that changes its region changes two sums. */
const writesPerCapacity = 3;

/** Writes that bring the stored shares of a hub to the desired ones, as many as one transaction has room for. */
export function capacityWrites(
  hub: string,
  stored: readonly Item[],
  wanted: readonly HubCapacity[],
): Write[] {
  const known = new Map((stored as StoredCapacity[]).map((share) => [share.audience, share]));
  const should = new Map(wanted.map((share) => [share.audience, share]));
  const writes: Write[] = [];
  for (const audience of new Set([...known.keys(), ...should.keys()])) {
    if (writes.length + writesPerCapacity > transactionLimit) break;
    writes.push(...moved(hub, known.get(audience), should.get(audience)));
  }
  return writes;
}

function moved(
  hub: string,
  from: StoredCapacity | undefined,
  to: HubCapacity | undefined,
): Write[] {
  if (to && from?.region === to.region && isDeepStrictEqual(from.counts, to.counts)) return [];
  const audience = to?.audience ?? from?.audience ?? "";
  const isSame = from ? eq("revision", from.revision) : absent;
  const key = shareKey(hub, audience);
  return [
    to
      ? { put: { ...key, ...to, revision: (from?.revision ?? 0) + 1 }, if: isSame }
      : { delete: key, if: isSame },
    ...sums(hub, audience, from, to),
  ];
}

/** The changes of the sums of a region, or of two regions. */
function sums(
  hub: string,
  audience: string,
  from: HubCapacity | undefined,
  to: HubCapacity | undefined,
): Write[] {
  const regions = new Map<string, Record<string, number>>();
  for (const [share, sign] of [
    [from, -1],
    [to, 1],
  ] as const)
    for (const [name, count] of Object.entries(share?.counts ?? {})) {
      const add = regions.get(share?.region ?? "") ?? {};
      add[name] = (add[name] ?? 0) + sign * count;
      regions.set(share?.region ?? "", add);
    }
  return [...regions].flatMap(([region, counts]) => {
    const add = Object.fromEntries(Object.entries(counts).filter(([, n]) => n !== 0));
    return Object.keys(add).length === 0
      ? []
      : [{ update: capacityKey(audience, region, hub), add }];
  });
}
