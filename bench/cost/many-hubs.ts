import { timestamp } from "../../core/clock.ts";
import {
  freeHostsKey,
  heartbeatKey,
  hostsKey,
  slotsKey,
} from "../../core/kernel/object/hub-keys.ts";
import { mustLoad, putNew } from "../../core/kernel/object/records.ts";
import type { Write } from "../../core/kernel/store/store.ts";
import { noteRoom } from "../../core/placement/capacity/note-room.ts";
import type { Demand } from "../../core/placement/choose/demand.ts";
import { plan } from "../../core/placement/choose/plan.ts";
import { admitHost } from "../../core/placement/pool/entries.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { testDeps } from "../../test/support/deps.ts";
import { addOrder, hostsNamed, hubRecord } from "../../test/support/placement.ts";
import { beyond, type Counts, Meter } from "./meter.ts";
import { MeteredStore } from "./metered-store.ts";

const hostType = "fc430";
/** The room of a hub in the fleet: further clusters, and hosts. */
const [slots, hosts] = [15, 8];
const regions = ["eu", "us", "ap", "sa"];
/** The number of plans for the mean, since each plan starts at a random place in the lists of hubs. */
const plans = 20;

/**
 * The additional cost of an order among so many hubs instead of two: that of its plan. Nothing else in an order depends
 * on the number of hubs.
 */
export const moreAmong = async (hubs: number): Promise<Counts> =>
  beyond(await planAmong(hubs), await planAmong(2));

async function planAmong(hubs: number): Promise<Counts> {
  const meter = new Meter();
  const store = new MeteredStore(meter);
  const deps = testDeps({ store });
  const free = 2;
  for (const [n, id] of hostsNamed("hub", hubs).entries()) {
    const region = regions[n % regions.length] ?? "";
    const writes: Write[] = [
      ...putNew(kinds, hubRecord(id, { region }, deps.clock.now())),
      { put: { ...heartbeatKey(id), at: timestamp(deps.clock.now()) } },
      { put: { ...slotsKey(id), used: 20 - slots } },
      { put: { ...hostsKey(id), [`type:${hostType}`]: hosts } },
      { put: { ...freeHostsKey(id), [`type:${hostType}`]: hosts } },
      ...hostsNamed(`${id}-host`, hosts).map((host) => admitHost({ hub: id, hostType }, host)),
    ];
    await store.transact(writes);
    await noteRoom(deps, id);
  }
  const { cluster, operation: id } = await addOrder(deps, "order", { [hostType]: free });
  const operation = await mustLoad(deps, "operation", id);
  const demand: Demand = {
    owner: { kind: "cluster", id: cluster, tenant: "tenant-a" },
    wants: [{ set: "workers", hostType, count: free }],
    ...{ slot: true, where: {}, queues: [] },
  };
  meter.read();
  await meter.within("core-worker", async () => {
    for (let n = 0; n < plans; n++) {
      const { found } = await plan(deps, demand, {
        ...{ operation, placement: undefined, taken: new Set<string>() },
      });
      if (!found) throw new Error(`no hub of ${hubs} was found`);
    }
  });
  const counts = meter.read();
  for (const name of Object.keys(counts) as (keyof Counts)[]) counts[name] /= plans;
  return counts;
}
