import { minutes } from "../clock.ts";
import { toAppError } from "../error.ts";
import type { Deps } from "../kernel/deps.ts";
import { lookedKey, objectKey, shardOf } from "../kernel/object/keys.ts";
import { exists, TransactionRefused } from "../kernel/store/store.ts";
import { hubsOf } from "../placement/hubs.ts";
import type { Hub } from "../resources/hub/model.ts";
import { type AtSite, siteParts } from "../resources/site/at-site.ts";
import { kindsWithParts } from "../resources/site/owners.ts";
import { isAtRest, lookAtParts } from "./look-at-parts.ts";
import { shuffled } from "./shuffled.ts";
import { onHub } from "./sweep-hub.ts";

/**
 * The length of a slot. An object is checked in one of `slots` slots; slots differ by object, which
 * spreads the checks.
 */
const slot = minutes(5);
const slots = 6;

/**
 * Checks the parts of objects at rest at their sites: each object every half hour, and objects with a
 * missing part in every run. Fabrics, DNS and storage send no reports when somebody removes something.
 */
export async function sweepParts(deps: Deps): Promise<void> {
  for (const { id } of (await hubsOf(deps)).filter(hasSite)) await sweepHubParts(deps, id);
}

const hasSite = ({ spec }: Hub): boolean => spec.site !== undefined;

/** Checks the objects of one hub, of every kind that has parts. */
export async function sweepHubParts(deps: Deps, id: string): Promise<void> {
  const now = Math.floor(deps.clock.now() / slot);
  const due = await dueSlots(deps, id, now);
  // Recorded first, and in random order: objects that a cut-off run leaves out get another turn.
  if (!(await isNoted(deps, id, now))) return;
  const found = await Promise.all(kindsWithParts(deps).map((kind) => onHub(deps, id, kind)));
  for (const target of shuffled(deps, found.flat())) {
    const isDue = due.has(shardOf(target.id, slots)) || lacksSomething(target);
    if (!isDue || !isAtRest(deps, target)) continue;
    try {
      await lookAtParts(deps, target);
    } catch (thrown) {
      const { kind, message, detail } = toAppError(thrown);
      deps.log.warn({ [target.kind]: target.id, kind, detail: detail ?? message }, "a look failed");
    }
  }
}

/** Notes how far the sweep has come; false for a hub that was deleted meanwhile. */
async function isNoted({ store }: Deps, hub: string, slot: number): Promise<boolean> {
  try {
    await store.transact([
      { check: objectKey("hub", hub), if: exists },
      { put: { ...lookedKey(hub), slot } },
    ]);
    return true;
  } catch (error) {
    if (error instanceof TransactionRefused) return false;
    throw error;
  }
}

/** The slots since the last run, all of them after a long pause: a late timer leaves none out. */
async function dueSlots(deps: Deps, hub: string, now: number): Promise<ReadonlySet<number>> {
  const item = await deps.store.get(lookedKey(hub));
  const last = typeof item?.slot === "number" ? item.slot : now - 1;
  const count = Math.min(slots, now - last);
  return new Set(Array.from({ length: count }, (_, n) => (now - n) % slots));
}

const lacksSomething = ({ site }: AtSite): boolean =>
  siteParts.some((part) => site?.parts[part] !== undefined && site.parts[part].state !== "done");
