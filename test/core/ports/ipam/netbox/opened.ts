import { expect } from "vitest";
import { minutes } from "../../../../../core/clock.ts";
import { mustLoad, putNew } from "../../../../../core/kernel/object/records.ts";
import { openSqliteStore } from "../../../../../core/kernel/store/sqlite/sqlite.ts";
import type { Check } from "../../../../../core/kernel/store/store.ts";
import type { NumberPool } from "../../../../../core/ports/ipam/ipam.ts";
import { pendingUpdatesIn } from "../../../../../core/ports/ipam/netbox/pending-updates.ts";
import { kinds } from "../../../../../core/resources/generated/kinds.ts";
import type { RowOf } from "../../../../../sim/netbox/types.ts";
import { clusterRecord } from "../../../../support/cluster-record.ts";
import { heldIn, holderOf } from "../../../../support/holders.ts";
import { recordsIn } from "../../../../support/records.ts";
import { VirtualClock } from "../../../../support/virtual-clock.ts";
import { type ipamIn, netboxOn, type Of, type writtenIn } from "./world.ts";

export const openWorld = () => ({ store: openSqliteStore(":memory:"), clock: new VirtualClock() });

export const pool: NumberPool = { name: "vlans#site", first: 100, size: 20, rest: minutes(1) };

/** A pool of one sort in NetBox, by one of the adapters that keep it there, and clusters to claim from it. */
export async function opened(
  adapter: typeof ipamIn | typeof writtenIn,
  of: Of,
  clusters = 2,
  options: Parameters<typeof writtenIn>[1] = {},
) {
  const world = openWorld();
  const { store, clock } = world;
  for (let n = 0; n < clusters; n++)
    await store.transact(putNew(kinds, clusterRecord(clock.now(), `cluster-${n}`)));
  const ipam = adapter(of, options)(world);
  const { network, sim, faults } = netboxOn(clock, options);
  const holder = (n = 0) => holderOf("cluster", `cluster-${n}`);
  const type = (
    { vlans: "ipam.vlan", prefixes: "ipam.prefix", addresses: "ipam.ipaddress" } as const
  )[of];
  const parents = new Set(sim.records.list(type).map(({ id }) => id));
  const rows = () => sim.records.list(type).filter(({ id }) => !parents.has(id));
  return {
    ...{ ...world, ipam, network, sim, faults, holder, type, rows },
    claim: (n = 0, count = 1, fence: Check[] = [], from = pool) =>
      ipam.claim(from, holder(n), { count, fence }),
    release: (n = 0) => ipam.release(pool, holder(n)),
    held: async (n = 0) => heldIn(await mustLoad(recordsIn(store), "cluster", `cluster-${n}`)),
    /** What NetBox shows: the number, its status, its holder. */
    shown: () => rows().map((row) => [numberIn(row), row.status, row.custom_fields.slipway_holder]),
    /** Nothing is to be told to NetBox any more, and it shows what is so. */
    async expectSettled() {
      expect(await pendingUpdatesIn(store, pool)).toEqual([]);
      expect(await ipam.drift(pool)).toEqual([]);
    },
  };
}

export type Row = RowOf<"ipam.vlan" | "ipam.prefix" | "ipam.ipaddress">;

/** The number of the pool that a row is; prefixes are of 64 addresses each, from 10.64.0.0 on. */
export function numberIn(row: Row): number {
  if ("vid" in row) return row.vid;
  if ("address" in row) return Number(row.address.split("/")[0]?.split(".")[3]);
  const [, , high = 0, low = 0] = (row.prefix.split("/")[0] ?? "").split(".").map(Number);
  return high * 4 + low / 64;
}
