import type { Deps } from "../../kernel/deps.ts";
import { tenantPartition } from "../../kernel/object/keys.ts";
import { objectsIn, type Records } from "../../kernel/object/records.ts";
import { ownersFor } from "../../kernel/request/resolve.ts";
import type { Usage } from "../../ports/ipam/ipam.ts";
import type { ExternalIpPool } from "./model.ts";
import { countsIn, countsOf } from "./usage.ts";

/** The pools of which who names none gets addresses. */

/** Those of IPv4 at a site that a tenant may use. */
export const poolsFor = async (records: Records, tenant: string): Promise<ExternalIpPool[]> =>
  (await ipv4Pools(records, tenant)).filter(({ spec }) => spec.site !== undefined);

/** Those whose addresses lead to what is at this site, or, without a site, behind DPUs. */
export const leadingTo = (
  pools: readonly ExternalIpPool[],
  site: string | undefined,
): ExternalIpPool[] => pools.filter(({ spec }) => spec.site?.id === site);

/** All of IPv4 that a tenant may use. */
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
 * The one of these pools that has the most free addresses, as OSAC chooses; of several the first by id. `read`: how full
 * some of them are, where it was read already.
 */
export async function mostFree(
  deps: Pick<Deps, "store" | "kinds" | "clock" | "log">,
  pools: readonly ExternalIpPool[],
  read: ReadonlyMap<string, { usage: Usage }> = new Map(),
): Promise<ExternalIpPool | undefined> {
  if (pools.length <= 1) return pools[0];
  const counted = await Promise.all(
    pools.map(async (pool) => {
      const known = read.get(pool.id);
      return { pool, ...(known ? countsIn(known.usage) : await countsOf(deps, pool)) };
    }),
  );
  const [first] = counted.toSorted(
    (a, b) => b.available - a.available || (a.pool.id < b.pool.id ? -1 : 1),
  );
  return first?.pool;
}
