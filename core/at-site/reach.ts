import * as z from "zod";
import { type Clock, minutes, timestamp } from "../clock.ts";
import type { Deps } from "../kernel/deps.ts";
import { siteReachKey } from "../kernel/object/hub-keys.ts";
import { objectKey } from "../kernel/object/keys.ts";
import { timeSchema } from "../kernel/object/wire.ts";
import { isWritten } from "../kernel/store/optimistically.ts";
import { absent, eq, exists, type Item, type Store, type Write } from "../kernel/store/store.ts";
import { orphanSystems } from "../ports/orphan.ts";

/**
 * When each system of a site last answered, and when one of its machines last reported. In an item beside the
 * site's record, because it changes often.
 */

const siteSystems = [...orphanSystems, "machines"] as const;

const reachSchema = z.partialRecord(
  z.enum(siteSystems),
  z.object({
    /** When it last answered, to within an hour; absent if never. */
    at: z.string().exactOptional(),
    /** Since when it is unreachable. */
    since: z.string().exactOptional(),
    /** The reason, in words. */
    message: z.string().exactOptional(),
  }),
);
export type SiteReach = z.output<typeof reachSchema>;

/**
 * The time after which silent machines count as unreachable; a DPU's reports are recorded every ten minutes.
 */
const silence = minutes(15);
/** The age of a recorded report at which the next one is recorded. */
const heardNoted = minutes(5);

/**
 * Records that a machine of a site has reported, unless a recent report is recorded. One of several concurrent
 * writes is enough.
 */
export async function noteSiteHeard(
  { store, clock }: Pick<Deps, "store" | "clock">,
  site: string,
): Promise<void> {
  const key = siteReachKey(site);
  const item = await store.get(key);
  const systems = reachIn(item);
  const now = clock.now();
  if (now - Date.parse(systems.machines?.at ?? timestamp(0)) < heardNoted) return;
  const version = Number(item?.version ?? 0);
  const after: SiteReach = { ...systems, machines: { at: timestamp(now) } };
  await isWritten(store, [
    { check: objectKey("site", site), if: exists },
    {
      put: { ...key, version: version + 1, systems: after },
      if: item ? eq("version", version) : absent,
    },
  ]);
}

/** Whether a machine of a site has reported lately. */
export async function isSiteHeard(
  { store, clock }: { store: Pick<Store, "get">; clock: Clock },
  site: string,
): Promise<boolean> {
  const { at } = reachIn(await store.get(siteReachKey(site))).machines ?? {};
  return at !== undefined && isLately(at, clock.now());
}

const isLately = (at: string, now: number): boolean => now - Date.parse(at) <= silence;

/**
 * The write that deletes the record of the last report, for the removal of a machine: a site without machines
 * must not show them as unreachable. No write if nothing is recorded.
 */
export async function forgetHeard({ store }: Pick<Deps, "store">, site: string): Promise<Write[]> {
  const key = siteReachKey(site);
  const item = await store.get(key);
  const { machines, ...systems } = reachIn(item);
  if (!item || !machines) return [];
  const version = Number(item.version);
  return [{ put: { ...key, version: version + 1, systems }, if: eq("version", version) }];
}

/** The contents of such an item; empty if there is none. */
export const reachIn = (item: Item | undefined): SiteReach =>
  reachSchema.parse(item?.systems ?? {});

export const systemReachSchema = z.object({
  system: z
    .enum(siteSystems)
    .describe("The system; `machines` are the DPUs of the site, which call Slipway."),
  last_reached_time: timeSchema
    .optional()
    .describe("When it last answered, to within an hour; absent if it never did."),
  away_since: timeSchema.optional().describe("Since when it does not answer; absent if it does."),
  message: z.string().optional().describe("The result of the last check, in words."),
});

/**
 * When the systems of each site last answered, for its status; undefined for a site that was never checked.
 */
export async function systemsReached(
  { store, clock }: { store: Pick<Store, "getMany">; clock: Clock },
  sites: readonly { id: string }[],
): Promise<(z.output<typeof systemReachSchema>[] | undefined)[]> {
  const items = await store.getMany(sites.map(({ id }) => siteReachKey(id)));
  const now = clock.now();
  return items.map((item) => item && shown(withMachines(reachIn(item), now)));
}

/** Machines report without a request, so only a long silence shows that they are unreachable. */
function withMachines(reach: SiteReach, now: number): SiteReach {
  const { at } = reach.machines ?? {};
  if (at === undefined || isLately(at, now)) return reach;
  return { ...reach, machines: { at, since: at, message: "none has reported since" } };
}

const shown = (reach: SiteReach): z.output<typeof systemReachSchema>[] =>
  siteSystems.flatMap((system) => {
    const { at, since, message } = reach[system] ?? {};
    if (at === undefined && since === undefined) return [];
    return {
      system,
      ...(at !== undefined && { last_reached_time: at }),
      ...(since !== undefined && { away_since: since }),
      ...(message !== undefined && { message }),
    };
  });
