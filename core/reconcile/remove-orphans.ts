import { hours } from "../clock.ts";
import type { Deps } from "../kernel/deps.ts";
import { archiveKey, objectKey } from "../kernel/object/keys.ts";
import { load, objectIn, type Records } from "../kernel/object/records.ts";
import { readSwitch } from "../kernel/request/maintenance-switch.ts";
import { isEnded } from "../kernel/saga/operation.ts";
import type { Orphan } from "../ports/orphan.ts";
import type { Cluster } from "../resources/cluster/model.ts";
import type { ExternalSystem } from "./external-system.ts";
import { shuffled } from "./shuffled.ts";

/** How long an orphan is left alone after it was first seen; it was seen again just now. */
const grace = hours(1);
/** How many clusters' remains in one system one run removes. */
const perRun = 10;

/**
 * Removes orphans that are old enough, in random order, so that those that cannot go do not block
 * others. Removes only objects of a cluster whose deletion the store knows to have ended: an
 * ownership tag alone proves nothing. Stops at the switch.
 */
export async function removeOrphans(
  deps: Deps,
  systems: ExternalSystem[],
  orphans: Orphan[],
  failed: (system: ExternalSystem, error: unknown) => void,
): Promise<void> {
  const oldest = deps.clock.now() - grace;
  let left = perRun;
  for (const { outside, things } of shuffled(deps, groups(systems, orphans))) {
    if (left === 0) return;
    const [first] = things;
    if (!first || things.some(({ first_seen }) => Date.parse(first_seen) > oldest)) continue;
    const cluster = await endedOwner(deps, first.cluster);
    if (!cluster) continue;
    if ((await readSwitch(deps.store, "removal")).paused) return;
    try {
      if (!(await outside.remove(cluster, things))) continue;
      deps.log.warn({ system: outside.system, cluster: cluster.id, things }, "orphans are removed");
    } catch (error) {
      failed(outside, error);
    }
    left -= 1;
  }
}

/** Groups the orphans of one cluster in one system. */
function groups(
  systems: ExternalSystem[],
  orphans: Orphan[],
): { outside: ExternalSystem; things: Orphan[] }[] {
  return systems.flatMap((outside) => {
    const here = orphans.filter(({ system }) => system === outside.system);
    const byCluster = Map.groupBy(here, ({ cluster }) => cluster);
    return Array.from(byCluster.values(), (things) => ({ outside, things }));
  });
}

/**
 * The cluster at the end of its last operation; undefined for a cluster that lives or never
 * existed.
 */
async function endedOwner(records: Records, id: string): Promise<Cluster | undefined> {
  const [live, archived] = await records.store.getMany([
    objectKey("cluster", id),
    archiveKey("cluster", id),
  ]);
  if (live || !archived) return undefined;
  const cluster = objectIn<"cluster">(records.kinds, archived);
  const operation = await load(records, "operation", cluster.operation ?? "");
  return operation && isEnded(operation) ? cluster : undefined;
}
