import { type AtSite, type SitedKind, siteParts } from "../at-site/at-site.ts";
import { kindsWithParts } from "../at-site/owners.ts";
import { minutes } from "../clock.ts";
import { logged } from "../error.ts";
import { sweepKey } from "../kernel/object/hub-keys.ts";
import { shardOf } from "../kernel/object/key-parts.ts";
import type { Kind } from "../kernel/object/object.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import type { StepDeps } from "../kernel/saga/context.ts";
import { dueFor, sweepNext } from "../ports/sweep-times.ts";
import { isAtRest, lookAtParts } from "./look-at-parts.ts";
import { shuffled } from "./shuffled.ts";
import { onHub, unreportedOn } from "./sweep-hub.ts";

/**
 * The length of a slot. An object of a hub with many is checked in one of `slots` slots; an object's slot follows from
 * its id, which spreads the checks.
 */
const slot = minutes(5);
const slots = 6;

/** The most objects of a hub that are all checked in one run. */
const fewObjects = 100;

/**
 * Checks the parts of objects at rest at their sites: each object every half hour, and objects with a
 * missing part in every run. Fabrics, DNS and storage send no reports when somebody removes something.
 */
export async function sweepParts(
  deps: StepDeps,
  inZone: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  for (const { id } of await dueFor(deps, "parts")) await inZone(() => sweepHubParts(deps, id));
}

/**
 * Checks the objects of one hub, of every kind that has parts. A hub with few objects is swept every half hour; a hub
 * with many, or with missing parts, in each slot.
 */
export async function sweepHubParts(deps: StepDeps, id: string): Promise<void> {
  const hub = { kind: "hub", id } as const;
  const now = Math.floor(deps.clock.now() / slot);
  const due = await dueSlots(deps, id, now);
  const kinds = kindsWithParts(deps);
  const known = (await Promise.all(kinds.map((kind) => onHub(deps, id, kind)))).flat();
  const others = (await unreportedOn(deps, id)).filter(isOneOf(kinds));
  const objects = [...known, ...others];
  const soon = objects.length > fewObjects || objects.some(lacksSomething);
  const next = soon ? now + 1 : ownSlotAfter(now, id);
  // Recorded first, and in random order: objects that an interrupted run leaves out are checked by a later one.
  if (!(await sweepNext(deps, "parts", hub, next * slot, { slot: now }))) return;
  let isLacking = false;
  for (const target of shuffled(deps, objects)) {
    const isDue = due.has(shardOf(target.id, slots)) || lacksSomething(target);
    if (!isDue || !isAtRest(deps, target)) continue;
    try {
      if (await lookAtParts(deps, target)) isLacking = true;
    } catch (thrown) {
      deps.log.warn({ [target.kind]: target.id, ...logged(thrown) }, "a check failed");
    }
  }
  if (isLacking && !soon) await sweepNext(deps, "parts", hub, (now + 1) * slot);
}

const isOneOf =
  (kinds: readonly SitedKind[]) =>
  (object: ObjectOf[Kind]): object is ObjectOf[SitedKind] =>
    kinds.some((kind) => kind === object.kind);

/** The slots since the last run; all slots after a long pause. So a late timer skips none. */
async function dueSlots(deps: StepDeps, hub: string, now: number): Promise<ReadonlySet<number>> {
  const item = await deps.store.get(sweepKey("parts", "hub", hub));
  const last = typeof item?.slot === "number" ? item.slot : now - slots;
  const count = Math.min(slots, now - last);
  return new Set(Array.from({ length: count }, (_, n) => (now - n) % slots));
}

/** The next slot of this hub; hubs have different slots, so that they are not swept together. */
const ownSlotAfter = (now: number, hub: string): number => {
  const ahead = (shardOf(hub, slots) - (now % slots) + slots) % slots;
  return now + (ahead || slots);
};

const lacksSomething = ({ site }: AtSite): boolean =>
  siteParts.some((part) => site?.parts[part] !== undefined && site.parts[part].state !== "done");
