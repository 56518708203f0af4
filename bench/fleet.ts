import { minutes } from "../core/clock.ts";
import { sagas } from "../statemachines/index.ts";
import { used } from "./fleet/cpu.ts";
import { createClusters, inSystem, sizeFor } from "./fleet/create.ts";
import { ownShares, type Times } from "./fleet/times.ts";
import { watchful } from "./fleet/watchful.ts";

/** The time in which all orders arrive, so that they run at the same time. */
const within = minutes(1);

/**
 * `npm run bench -- fleet [orders]`: creates 1,000 clusters at once in virtual time, over many sites. Prints orders per
 * CPU second and the CPU by part, memory, and the control plane's own share of a create: its time beyond that of a
 * single create whose steps poll four times a second.
 */
export async function bench(): Promise<void> {
  const orders = Number(process.argv[3] ?? 1000);
  const size = sizeFor(orders);
  console.error("a create alone, which checks four times a second");
  const ideal = await idealCreate();
  console.error(`${orders} creates on ${size.sites * size.hubsAtSite} hubs at ${size.sites} sites`);
  const { creates, parts, ...took } = await inSystem({ size }, async (system) => {
    const { result, used: use } = await used(() =>
      createClusters(system, { orders, within, tell: progress() }),
    );
    return { creates: result, ...use };
  });
  const { cpu, heap, rss } = took;
  const summary = {
    orders,
    succeeded: creates.filter(({ state }) => state === "SUCCEEDED").length,
    ideal_s: ideal.whole / 1000,
    cpu_s: rounded(cpu),
    orders_per_cpu_s: rounded(orders / cpu),
    heap_mb: Math.round(heap),
    rss_mb: Math.round(rss),
  };
  const cpu_ms = Object.fromEntries(
    Object.entries(parts).map(([part, share]) => [part, rounded((1000 * share * cpu) / orders)]),
  );
  const own_share_s = ownShares(creates, ideal);
  console.table(summary);
  console.log("CPU milliseconds an order");
  console.table(cpu_ms);
  console.log("the control plane's own share, in simulated seconds");
  console.table(own_share_s);
  console.log(JSON.stringify({ node: process.version, ...summary, cpu_ms, own_share_s }));
}

/** The times of a create that never waits for Slipway. */
export async function idealCreate(): Promise<Times> {
  const size = { sites: 1, hubsAtSite: 1, hostsAtHub: { fc430: 2 } };
  const [alone] = await inSystem({ size, sagas: watchful(sagas) }, (system) =>
    createClusters(system, { orders: 1, within: 0 }),
  );
  if (!alone) throw new Error("the create alone has not ended");
  return alone;
}

/** Prints the number of running orders each simulated minute. */
function progress(): (open: number) => void {
  let told = 0;
  return (open) => {
    if (told++ % 6 === 0) console.error(`${open} under way`);
  };
}

const rounded = (number: number): number => Number(number.toFixed(2));
