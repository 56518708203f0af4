import { floatingIpUses } from "../../at-site/at-site.ts";
import type { Violation } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import type { Records } from "../../kernel/object/records.ts";
import { begun } from "../../kernel/request/begun.ts";
import { type Constraints, mismatch } from "../../placement/hubs/candidate.ts";
import type { ClusterSpecInput } from "../cluster-template/order-input.ts";
import { type PoolsRead, readPools } from "../external-ip/address.ts";
import { poolsFor } from "../external-ip-pool/choose.ts";
import type { ExternalIpPool } from "../external-ip-pool/model.ts";
import { hubsAt } from "../hub/at-site.ts";

/** The pools for an order's external IPs, and their free addresses. */
export interface OutsideSearch {
  pools: Promise<ExternalIpPool[]>;
  read: Promise<PoolsRead>;
}

/** Begins the search for an order's external IPs. `site`: the site that the order has to be at, if any. */
export function searchOutside(
  deps: Deps,
  tenant: string,
  site: Promise<string | undefined>,
): OutsideSearch {
  const pools = begun(poolsFor(deps, tenant));
  const read = Promise.all([pools, site]).then(([all, at]) =>
    readPools(deps, poolsAtSite(all, at), floatingIpUses.length),
  );
  return { pools, read: begun(read) };
}

/**
 * The pools for the external IPs of an order: at its site if that is fixed, otherwise at the sites with hubs
 * that can serve it. A violation if there are none. `search`: the search for all pools of the tenant, if the
 * caller has begun it.
 */
export async function outsidePools(
  records: Records,
  where: Constraints,
  violations: Violation[],
  search = poolsFor(records, where.tenant),
): Promise<ExternalIpPool[]> {
  const { site } = where;
  const all = await search;
  const pools = poolsAtSite(all, site);
  if (pools.length === 0)
    violations.push({
      field: "spec.auto_external_ip_attachment",
      message: `needs a pool of IPv4 addresses ${site === undefined ? "at a site" : "at the site that it has to be at"}, and there is none; without it the cluster has addresses of its own`,
    });
  const sites = Map.groupBy(pools, ({ spec }) => spec.site?.id ?? "");
  if (sites.size <= 1) return pools;
  const serving = await Promise.all(
    Array.from(sites, async ([id, these]) => ((await serves(records, id, where)) ? these : [])),
  );
  // If no hub can serve the order yet, it waits for one, so any pool may fit later.
  const fitting = serving.flat();
  return fitting.length > 0 ? fitting : pools;
}

/** The pools at a site, if an order's site is fixed; otherwise all. */
const poolsAtSite = (pools: ExternalIpPool[], site: string | undefined): ExternalIpPool[] =>
  pools.filter(({ spec }) => site === undefined || spec.site?.id === site);

const serves = async (records: Records, site: string, where: Constraints): Promise<boolean> =>
  (await hubsAt(records, site)).some((hub) => mismatch(hub, where) === undefined);

/** The constraints on an order's hub before its external IPs are known. */
export const poolSiteOf = (
  tenant: string,
  { placement: { region, labels } = {} }: Pick<ClusterSpecInput, "placement">,
  site: string | undefined,
): Constraints => ({
  tenant,
  ...(region !== undefined && { region }),
  ...(labels && { labels }),
  ...(site !== undefined && { site }),
});
