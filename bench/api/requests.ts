import { lastPosition } from "../../core/kernel/events/log.ts";
import { atTime, beginning, timeOf } from "../../core/kernel/events/position.ts";
import { relay } from "../../core/kernel/relay/relay.ts";
import { sagas } from "../../statemachines/index.ts";
import { order, v1 } from "../../test/support/api.ts";
import { type Cost, costOf } from "./cpu.ts";
import type { World } from "./world.ts";

/** The costs of all kinds of requests; the first, creates, also fills the world. */
export async function requestCosts(world: World, times: number): Promise<Record<string, Cost>> {
  const clusters = `${v1}/clusters`;
  const create = await costOf(world, times, (n) =>
    world.ask(clusters, {
      method: "POST",
      body: JSON.stringify(order(`c${n}`, {}, { labels: { tier: n % 2 ? "odd" : "even" } })),
    }),
  );
  const { items } = JSON.parse(await world.ask(`${clusters}?limit=100`));
  const ids: string[] = items.map(({ id }: { id: string }) => id);
  const filtered = (filter: string) =>
    world.ask(`${clusters}?${new URLSearchParams({ filter, limit: "100" })}`);
  const get = await costOf(world, times, (n) => world.ask(`${clusters}/${ids[n % ids.length]}`));
  const list = await costOf(world, times / 10, () => world.ask(`${clusters}?limit=100`));
  const byName = await costOf(world, times, (n) =>
    filtered(`this.metadata.name == 'c${n % times}'`),
  );
  const scanned = await costOf(world, Math.ceil(times / 100), () =>
    filtered("this.metadata.labels['tier'] == 'odd'"),
  );
  const watch = await watchers(world);
  return {
    create,
    get,
    "list (100)": list,
    "list, filter on a name": byName,
    "list, filter on a label": scanned,
    "watch, per watcher of one event": await costOf(world, times, watch),
  };
}

/** One event for all watchers of the tenant; each receives it as the answer. */
async function watchers(world: World): Promise<() => Promise<unknown>> {
  const { deps } = world;
  for (const record of deps.store.stream(undefined, 500)) await relay(deps, sagas, record);
  const last = (await lastPosition(deps, "tenant-a")) ?? beginning;
  // A position before the tenant's last event, and after those of shared objects.
  const seen = atTime(timeOf(last));
  return () => world.ask("/api/events/v1/events", { headers: { "Last-Event-ID": seen } });
}
