import { isDeepStrictEqual } from "node:util";
import type { Site } from "../at-site/site.ts";
import { hours } from "../clock.ts";
import { logged } from "../error.ts";
import { changeObject } from "../kernel/events/rewrite.ts";
import { load } from "../kernel/object/records.ts";
import type { StepDeps } from "../kernel/saga/context.ts";
import { forgetOrphans } from "../ports/forget-orphans.ts";
import { type OrphanSystem, toldOf } from "../ports/orphan.ts";
import { quietUntil, sweepNext } from "../ports/sweep-times.ts";
import type { Hub } from "../resources/hub/model.ts";
import { type ExternalSystem, systemsOfHub, systemsOfSite } from "./external-system.ts";
import { giveUpServers } from "./give-up-servers.ts";
import { holdNumbers } from "./hold-numbers.ts";
import { findOrphans, orphansOf, type Recorded } from "./orphans.ts";
import { type Answers, noteSystems } from "./reach-site.ts";
import { removeOrphans } from "./remove-orphans.ts";

/** The interval of orphan sweeps of a place without orphans. */
const quiet = hours(1);

/**
 * Gives up the servers that were released at a hub. Finds orphans on a hub or at a site, lists them in its status, and
 * removes them where its spec says so. A failure at one hub or site must not block others.
 */
export async function sweepHubOrphans(deps: StepDeps, id: string): Promise<void> {
  const hub = await load(deps, "hub", id);
  if (!hub) return;
  await giveUpServers(deps, id);
  await guarded(deps, hub, async () => systemsOfHub(deps, await deps.hubs.client(id)));
}

export async function sweepSiteOrphans(deps: StepDeps, id: string): Promise<void> {
  const site = await load(deps, "site", id);
  if (!site) return;
  // A record from before a member of its status existed gets the member now, and with it the index entry.
  await changeObject(deps, "site", id, (known) => known, site);
  const reach = async () => systemsOfSite(deps, await deps.sites.systems(id));
  await guarded(deps, site, reach, async (recorded, answers) => {
    // The listing took long, and the site's pools may have changed meanwhile.
    if (!(await load(deps, "site", id))) return;
    await noteSystems(deps, id, answers);
    await holdNumbers(deps, await deps.sites.systems(id), recorded);
  });
}

/** Sweeps one hub or site. `found` is called with the orphans before any is removed. */
async function guarded(
  deps: StepDeps,
  place: Hub | Site,
  reach: () => Promise<ExternalSystem[]>,
  found: Told["found"] = async () => {},
): Promise<void> {
  const failed = (system: string, thrown: unknown) => {
    deps.log.warn(
      { [place.kind]: place.id, system, ...logged(thrown) },
      "sweep for orphans failed",
    );
  };
  try {
    await sweepPlace(deps, place, await reach(), {
      found,
      failed: ({ system }, thrown) => failed(system, thrown),
    });
  } catch (thrown) {
    failed(place.kind, thrown);
  }
}

interface Told {
  found(recorded: Recorded, answers: Answers): Promise<void>;
  failed(system: ExternalSystem, error: unknown): void;
}

async function sweepPlace(
  deps: StepDeps,
  place: Hub | Site,
  systems: ExternalSystem[],
  { found, failed }: Told,
): Promise<void> {
  const next = quietUntil(deps, place.id, quiet);
  const answered = new Set(systems);
  const answers = new Map<OrphanSystem, unknown>(systems.map(({ system }) => [system, undefined]));
  const recorded = await findOrphans(deps, place, systems, (system, error) => {
    answered.delete(system);
    answers.set(system.system, error);
    failed(system, error);
  });
  if (!recorded) return;
  // The place may have been deleted during the listing.
  if (!(await load(deps, place.kind, place.id))) return forgetOrphans(deps.store, place);
  const { orphans } = recorded;
  await noteOrphans(deps, place);
  await found(recorded, answers);
  // A place with orphans, or with an unavailable system, stays due.
  if (orphans.length === 0 && answered.size === systems.length)
    await sweepNext(deps, "orphans", place, next);
  // Only orphans that were seen in this sweep: an old record alone proves nothing.
  if (place.spec.orphans === "remove") await removeOrphans(deps, [...answered], orphans, failed);
}

/** Writes the recorded orphans into the status, as they are at the time of the write. */
async function noteOrphans(deps: StepDeps, { kind, id }: Hub | Site): Promise<void> {
  const noted = async <Place extends Hub | Site>(place: Place): Promise<Place | undefined> => {
    const orphans = toldOf(await orphansOf(deps.store, place));
    return isDeepStrictEqual(place.status.orphans ?? toldOf([]), orphans)
      ? undefined
      : { ...place, status: { ...place.status, orphans } };
  };
  await changeObject<"hub" | "site">(deps, kind, id, noted);
}
