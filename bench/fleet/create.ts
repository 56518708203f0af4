import { seconds } from "../../core/clock.ts";
import { load, objectIn } from "../../core/kernel/object/records.ts";
import { isEnded, type Operation } from "../../core/kernel/saga/operation.ts";
import type { Sagas } from "../../core/kernel/saga/settle.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { openSystem, type System } from "../../simulate/system.ts";
import type { Size } from "../../simulate/worlds.ts";
import { Addresses } from "./addresses.ts";
import { type Times, timesOf } from "./times.ts";

/** Simultaneous orders in virtual time. */

interface Fleet {
  orders: number;
  /** The milliseconds in which they arrive, one after another. */
  within: number;
  /** Called every ten simulated seconds while orders run. */
  tell?: (open: number) => void;
}

/** An order that has ended. */
export interface Created extends Times {
  state: Operation["status"]["state"];
}

const tenants = ["tenant-a", "tenant-b", "tenant-c", "tenant-d"];

/** The control planes of a hub (`local/seed.ts`). */
const slots = 20;
const hubsAtSite = 3;
const nodes = 2;

/** The size at which no order waits for capacity: one slot in six stays free. */
export const sizeFor = (orders: number): Size => ({
  sites: Math.ceil((orders * 1.2) / (slots * hubsAtSite)),
  hubsAtSite,
  hostsAtHub: { fc430: nodes * slots },
});

/** Runs work in a system of this size without faults; with the product's sagas by default. */
export async function inSystem<T>(
  options: { size: Size; sagas?: Sagas },
  work: (system: System) => Promise<T>,
): Promise<T> {
  const system = await openSystem({ seed: 1, faults: 0, ...options });
  try {
    return await work(system);
  } finally {
    await system.stop();
  }
}

/** Creates clusters, and returns the times of each once all have ended. */
export async function createClusters(
  system: System,
  { orders, within, tell }: Fleet,
): Promise<Created[]> {
  const { clock, worlds, slipway } = system;
  const addresses = new Addresses(clock, worlds);
  const ended = new Map<string, Operation>();
  system.onRelayed(({ key, after }) => {
    if (!after || !key.pk.startsWith("operation#")) return;
    const operation = objectIn<"operation">(kinds, after);
    if (isEnded(operation)) ended.set(operation.id, operation);
  });
  for (let n = 0; n < orders; n++) {
    const tenant = tenants[n % tenants.length] ?? "";
    const { status, body } = await system.ask(tenant, "POST", "clusters", order(n));
    if (status !== 200) throw new Error(`an order was refused: ${JSON.stringify(body)}`);
    await clock.advance(within / orders);
  }
  while (ended.size < orders) {
    tell?.(orders - ended.size);
    await clock.advance(seconds(10));
  }
  const creates = Array.from(ended.values(), async (operation) => {
    const { spec, status } = operation;
    const cluster = await load(slipway.deps, "cluster", spec.target.id);
    const hosts = Object.values(cluster?.placement?.hosts ?? {}).flat();
    return { state: status.state, ...timesOf(operation, (until) => addresses.of(hosts, until)) };
  });
  return Promise.all(creates);
}

const order = (n: number) => ({
  metadata: { name: `c${n}` },
  spec: { template: { id: "ocp_4_17_small" }, node_sets: { workers: { size: nodes } } },
});
