import { timeText } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { objectKey } from "../../kernel/object/keys.ts";
import { mustLoad } from "../../kernel/object/records.ts";
import { eq, type Write } from "../../kernel/store/store.ts";
import {
  claimForEach,
  type claimWith,
  type NumbersRead,
  readNumbers,
  releaseWith,
} from "../../ports/ipam/own/numbers.ts";
import type { ExternalIpPool } from "../external-ip-pool/model.ts";
import { addressWith, numbersOfPool, numberWith } from "../external-ip-pool/numbers.ts";
import { countsOf, type PoolCounts } from "../external-ip-pool/usage.ts";
import type { ExternalIp } from "./model.ts";

/**
 * The address of an external IP. The transaction that creates the object claims the address, and the one that deletes
 * it releases the address. So no address is ever claimed without its object, even after a crash.
 */

/** The free numbers of pools, as they were read, by pool id; with their counts if there are several. */
export type PoolsRead = ReadonlyMap<string, NumbersRead & { counts: PoolCounts | undefined }>;

/** Reads the free addresses of pools for this many new external IPs: what the choice of a pool and the claim need. */
export async function readPools(
  deps: Deps,
  pools: readonly ExternalIpPool[],
  count: number,
): Promise<PoolsRead> {
  const reads = pools.map(async (pool) => {
    const [numbers, counts] = await Promise.all([
      readNumbers(deps, numbersOfPool(pool), count),
      pools.length > 1 ? countsOf(deps, pool) : undefined,
    ]);
    return [pool.id, { ...numbers, counts }] as const;
  });
  return new Map(await Promise.all(reads));
}

/**
 * The next free addresses of a pool, one for each of these new external IPs. Throws FailedPrecondition if it has too
 * few. `read`: the answer of `readPools` for this number.
 */
export async function claimExternalAddresses(
  deps: Deps,
  pool: ExternalIpPool,
  ids: readonly string[],
  read?: PoolsRead,
): Promise<{ addresses: string[]; writes: Write[] }> {
  const holders = ids.map((id) => ({ kind: "external_ip", id }) as const);
  const offer = await claimForEach(deps, numbersOfPool(pool), holders, read?.get(pool.id));
  if ("short" in offer)
    throw new AppError("FailedPrecondition", exhausted(pool, ids.length, offer));
  const { numbers, writes, isFirst } = offer;
  return {
    addresses: ids.map((_, n) => addressWith(pool.spec.cidrs, numbers[n] ?? 0)),
    writes: [
      ...writes,
      // Until its first address is given out, the prefixes of the pool can change.
      ...(isFirst
        ? [{ check: objectKey("external_ip_pool", pool.id), if: eq("revision", pool.revision) }]
        : []),
    ],
  };
}

/** The writes that release an address, which then rests. */
export async function releaseAddress(
  deps: Deps,
  { id, address, spec }: ExternalIp,
): Promise<Write[]> {
  // The pool exists, because it cannot be deleted while its addresses are used.
  const pool = await mustLoad(deps, "external_ip_pool", spec.pool.id);
  const number = numberWith(pool.spec.cidrs, address);
  if (number === undefined)
    throw new AppError("Internal", `${address} is not an address of pool '${pool.id}'`);
  return releaseWith(deps, numbersOfPool(pool), { kind: "external_ip", id }, [number]);
}

function exhausted(
  { metadata }: ExternalIpPool,
  count: number,
  {
    short: { used, resting, size },
    next,
  }: Extract<Awaited<ReturnType<typeof claimWith>>, { short: unknown }>,
): string {
  const rest =
    resting > 0 && next !== undefined
      ? `, and ${resting} rest, the first until ${timeText(next)}`
      : "";
  const lack = count === 1 ? "no address" : `fewer than ${count} addresses`;
  const free = count === 1 ? "is free" : "are free";
  return `${lack} of pool '${metadata.name}' ${free}: ${used} of ${size} are used${rest}`;
}
