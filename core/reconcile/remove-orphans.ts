import { owningOf } from "../at-site/owners.ts";
import { hours } from "../clock.ts";
import { load, objectIn } from "../kernel/object/records.ts";
import type { OperatedKind } from "../kernel/object/traits.ts";
import { readSwitch } from "../kernel/request/maintenance-switch.ts";
import type { StepDeps } from "../kernel/saga/context.ts";
import { isEnded } from "../kernel/saga/operation.ts";
import type { Orphan } from "../ports/orphan.ts";
import type { OwnershipTag } from "../ports/owner.ts";
import type { EndedOwner, ExternalSystem } from "./external-system.ts";
import { ownerRecords, textOf } from "./owner-records.ts";
import { shuffled } from "./shuffled.ts";

/** How long an orphan is kept after it was first seen. */
const grace = hours(1);
/** The number of owners whose remains one run removes from one system. */
const perRun = 10;

/**
 * Removes orphans that are old enough, in random order, so that those that cannot be removed do not block others. Only
 * for an owner whose deletion has ended according to the store, and whose kind declares what it may have outside: an
 * ownership tag alone proves nothing. Stops at the switch.
 */
export async function removeOrphans(
  deps: StepDeps,
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
    const ended = await endedOwner(deps, first.owner);
    if (!ended) continue;
    if ((await readSwitch(deps.store, "removal")).paused) return;
    try {
      if (!(await outside.remove(ended, things))) continue;
      const { kind, id } = ended.object;
      deps.log.warn({ system: outside.system, [kind]: id, things }, "orphans are removed");
    } catch (error) {
      failed(outside, error);
    }
    left -= 1;
  }
}

/** Groups the orphans of one owner in one system. */
function groups(
  systems: ExternalSystem[],
  orphans: Orphan[],
): { outside: ExternalSystem; things: Orphan[] }[] {
  return systems.flatMap((outside) => {
    const here = orphans.filter(({ system }) => system === outside.system);
    const byOwner = Map.groupBy(here, ({ owner }) => textOf(owner));
    return Array.from(byOwner.values(), (things) => ({ outside, things }));
  });
}

/**
 * The ended owner of a tag; undefined for an owner that exists or never existed, and for kinds that own nothing
 * outside.
 */
async function endedOwner(deps: StepDeps, tag: OwnershipTag): Promise<EndedOwner | undefined> {
  const owning = owningOf(deps, tag.kind);
  const { live, archived } = (await ownerRecords(deps, [tag])).get(textOf(tag)) ?? {};
  if (!owning || live || !archived) return undefined;
  const object = objectIn<OperatedKind>(deps.kinds, archived);
  const operation = await load(deps, "operation", object.operation ?? "");
  return operation && isEnded(operation) ? { object, owning } : undefined;
}
