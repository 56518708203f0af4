import { type PoolUse, poolUses } from "../../core/at-site/site.ts";
import { mustSee } from "../../core/kernel/request/caller.ts";
import {
  boundsOfPool,
  kindOfPool,
  numbersOfSite,
  placeInPool,
  siteNumbersSchema,
} from "../../core/reconcile/owners/site-numbers.ts";
import type { SiteWithNetwork } from "../../core/reconcile/owners/site-pools.ts";
import type { Call } from "./call.ts";
import { listQuery } from "./list/query.ts";
import { ownedValue } from "./owners.ts";
import { badParameter } from "./parameters.ts";
import { prefixes, type Route, route } from "./route.ts";

/** Routes of sites besides the collection: the numbers of their pools, one by one. */

async function numbersAnswer(call: Call): Promise<Response> {
  const site = await mustSee(call.deps, call.caller, "site", call.param("id"));
  const use = poolUses.find((each) => each === call.query("pool"));
  if (!use) throw badParameter("pool", `must be one of: ${poolUses.join(", ")}`);
  const { limit } = listQuery(call, () => siteNumbersSchema);
  const { network } = site.spec;
  if (!network) return call.c.json({ pool: use, size: 0, total: 0, items: [] });
  const from = call.query("from");
  const skipped = from === undefined ? 0 : placeOf({ site, network }, use, from);
  const page = { site: { site, network }, use, skipped, limit };
  return call.c.json(await numbersOfSite(call.deps, page));
}

function placeOf(site: SiteWithNetwork, use: PoolUse, from: string): number {
  const place = placeInPool(site, use, ownedValue(kindOfPool[use], "from", from));
  if (place !== undefined) return place;
  const { first, last } = boundsOfPool(site, use);
  throw badParameter("from", `must be a number of the pool, from ${first} to ${last}`);
}

export const siteRoutes: Route[] = [
  route({
    area: "private",
    subject: "site",
    verb: "numbers",
    method: "GET",
    path: `${prefixes.private}/sites/{id}/numbers`,
    summary: "List the numbers of a site",
    description:
      "Each VLAN id, prefix or outside address of one of the site's pools, in order: who has it, whether it rests and until when, or that it is free. A page reads its own numbers by their keys, and continues from the `next` of the page before.",
    query: ["pool", "from", "limit"],
    response: () => siteNumbersSchema,
    handle: numbersAnswer,
  }),
];
