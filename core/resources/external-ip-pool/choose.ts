import type { Deps } from "../../kernel/deps.ts";
import { tenantPartition } from "../../kernel/object/keys.ts";
import { objectsIn, type Records } from "../../kernel/object/records.ts";
import { ownersFor } from "../../kernel/request/resolve.ts";
import type { ExternalIpPool } from "./model.ts";
import { countsOf, type PoolCounts } from "./usage.ts";

/** Chooses the pool for orders that name none. */

/** The IPv4 pools at sites that a tenant may use. */
export const poolsFor = async (records: Records, tenant: string): Promise<ExternalIpPool[]> =>
  (await ipv4Pools(records, tenant)).filter(({ spec }) => spec.site !== undefined);

/** The pools whose addresses can lead to this site or, without a site, to servers behind DPUs. */
export const leadingTo = (
  pools: readonly ExternalIpPool[],
  site: string | undefined,
): ExternalIpPool[] => pools.filter(({ spec }) => spec.site?.id === site);

/** All IPv4 pools that a tenant may use. */
export async function ipv4Pools(records: Records, tenant: string): Promise<ExternalIpPool[]> {
  const found = await Promise.all(ownersFor(tenant).map((owner) => poolsOf(records, owner)));
  return found.flat().filter(({ spec }) => spec.ip_family === "IP_FAMILY_IPV4");
}

async function poolsOf(records: Records, tenant: string): Promise<ExternalIpPool[]> {
  const pools: ExternalIpPool[] = [];
  const pk = tenantPartition("external_ip_pool", tenant);
  for await (const page of objectsIn<"external_ip_pool">(records, { index: "g1", pk }))
    pools.push(...page);
  return pools;
}

/**
 * The pool with the most free addresses, like OSAC's choice; among equal ones the first by id. `read`: the counts of
 * some pools, if the caller has read them.
 */
export async function mostFree(
  deps: Pick<Deps, "store" | "kinds" | "clock" | "log">,
  pools: readonly ExternalIpPool[],
  read: ReadonlyMap<string, { counts: PoolCounts | undefined }> = new Map(),
): Promise<ExternalIpPool | undefined> {
  if (pools.length <= 1) return pools[0];
  const counted = await Promise.all(
    pools.map(async (pool) => {
      const known = read.get(pool.id)?.counts;
      return { pool, ...(known ?? (await countsOf(deps, pool))) };
    }),
  );
  const [first] = counted.toSorted(
    (a, b) => b.available - a.available || (a.pool.id < b.pool.id ? -1 : 1),
  );
  return first?.pool;
}
