import * as z from "zod";
import { siteReachKey } from "../../kernel/object/hub-keys.ts";
import { timeSchema } from "../../kernel/object/wire.ts";
import type { Item, Store } from "../../kernel/store/store.ts";
import { orphanSystems } from "../../ports/orphan.ts";

/** When each system of a site last answered, in an item beside the site's record: it changes often. */

const reachSchema = z.partialRecord(
  z.enum(orphanSystems),
  z.object({
    /** When it last answered, to within an hour; absent if it never did. */
    at: z.string().exactOptional(),
    /** Since when it does not answer. */
    since: z.string().exactOptional(),
    /** Why, in words. */
    message: z.string().exactOptional(),
  }),
);
export type SiteReach = z.output<typeof reachSchema>;

/** What such an item says; nothing where there is none. */
export const reachIn = (item: Item | undefined): SiteReach =>
  reachSchema.parse(item?.systems ?? {});

export const systemReachSchema = z.object({
  system: z.enum(orphanSystems).describe("Which one."),
  last_reached_time: timeSchema
    .optional()
    .describe("When it last answered, to within an hour; absent if it never did."),
  away_since: timeSchema
    .optional()
    .describe("Since when it does not answer; absent for one that does."),
  message: z.string().optional().describe("What became of the last try, in words."),
});

/** When the systems of each site last answered, as its status tells it; undefined of one that nobody has looked at. */
export async function systemsReached(
  store: Pick<Store, "getMany">,
  sites: readonly { id: string }[],
): Promise<(z.output<typeof systemReachSchema>[] | undefined)[]> {
  const items = await store.getMany(sites.map(({ id }) => siteReachKey(id)));
  return items.map((item) => item && shown(reachIn(item)));
}

const shown = (reach: SiteReach): z.output<typeof systemReachSchema>[] =>
  orphanSystems.flatMap((system) => {
    const { at, since, message } = reach[system] ?? {};
    if (at === undefined && since === undefined) return [];
    return {
      system,
      ...(at !== undefined && { last_reached_time: at }),
      ...(since !== undefined && { away_since: since }),
      ...(message !== undefined && { message }),
    };
  });
