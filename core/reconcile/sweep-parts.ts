import { minutes } from "../clock.ts";
import type { Deps } from "../deps.ts";
import { toAppError } from "../error.ts";
import { lookedKey, shardOf } from "../kernel/object/keys.ts";
import { hubsOf } from "../placement/hubs.ts";
import { siteParts } from "../resources/cluster/cluster-site.ts";
import type { Cluster } from "../resources/cluster/model.ts";
import type { Hub } from "../resources/hub/model.ts";
import { isAtRest, lookAtParts } from "./look-at-parts.ts";
import { shuffled } from "./shuffled.ts";
import { onHub } from "./sweep-hub.ts";

/** Every cluster is looked at once in `slots` of these; each has a slot of its own, so the looks are spread. */
const slot = minutes(5);
const slots = 6;

/**
 * Looks at what READY clusters have at their sites: at each every half hour, and in every run at
 * those of which something was missing. Fabrics, DNS and storage give no news of what is taken
 * away behind our back.
 */
export async function sweepParts(deps: Deps): Promise<void> {
  for (const { id } of (await hubsOf(deps.store)).filter(hasSite)) await sweepHubParts(deps, id);
}

const hasSite = ({ spec }: Hub): boolean => spec.site !== undefined;

/** The same for the clusters of one hub. */
export async function sweepHubParts(deps: Deps, id: string): Promise<void> {
  const now = Math.floor(deps.clock.now() / slot);
  const due = await dueSlots(deps, id, now);
  // First, and in random order: whom a run that is cut off leaves out gets another turn.
  await deps.store.transact([{ put: { ...lookedKey(id), slot: now } }]);
  for (const cluster of shuffled(deps, await onHub(deps, id, "cluster"))) {
    const isDue = due.has(shardOf(cluster.id, slots)) || lacksSomething(cluster);
    if (!isDue || !isAtRest(cluster)) continue;
    try {
      await lookAtParts(deps, cluster);
    } catch (thrown) {
      const { kind, message, detail } = toAppError(thrown);
      deps.log.warn({ cluster: cluster.id, kind, detail: detail ?? message }, "a look failed");
    }
  }
}

/** The slots since the last run, all of them after a long pause: a late timer leaves none out. */
async function dueSlots(deps: Deps, hub: string, now: number): Promise<ReadonlySet<number>> {
  const item = await deps.store.get(lookedKey(hub));
  const last = typeof item?.slot === "number" ? item.slot : now - 1;
  const count = Math.min(slots, now - last);
  return new Set(Array.from({ length: count }, (_, n) => (now - n) % slots));
}

const lacksSomething = ({ site }: Cluster): boolean =>
  siteParts.some((part) => site?.parts[part] !== undefined && site.parts[part].state !== "done");
