import { timestamp } from "../../clock.ts";
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
import type { ExternalIp } from "./model.ts";

/**
 * The address of an external IP, claimed in the transaction that makes the object, and released in the one that
 * deletes it. So no address is without its object at any time, whatever dies when.
 */

/** What pools have to offer, as it was read, by their ids. */
export type PoolsRead = ReadonlyMap<string, NumbersRead>;

/** Up to this number, all pools are read before it is known which of them an order gets its addresses of. */
const few = 3;

/** Reads what pools have for this many new external IPs; nothing where there are more than a few. */
export async function readFew(
  deps: Deps,
  pools: readonly ExternalIpPool[],
  count: number,
): Promise<PoolsRead> {
  const reads = (pools.length > few ? [] : pools).map(
    async (pool) => [pool.id, await readNumbers(deps, numbersOfPool(pool), count)] as const,
  );
  return new Map(await Promise.all(reads));
}

/**
 * The next addresses of a pool, one for each of these new external IPs. Throws FailedPrecondition where it has not as
 * many free ones. `read`: what `readFew` answers for as many.
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
      // Before the first one is given out, the pool may get other prefixes.
      ...(isFirst
        ? [{ check: objectKey("external_ip_pool", pool.id), if: eq("revision", pool.revision) }]
        : []),
    ],
  };
}

/** The writes that give an address back: it rests. */
export async function releaseAddress(
  deps: Deps,
  { id, address, spec }: ExternalIp,
): Promise<Write[]> {
  // A pool stays as long as addresses of it are used.
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
      ? `, and ${resting} rest, the first until ${timestamp(next)}`
      : "";
  const lack = count === 1 ? "no address" : `fewer than ${count} addresses`;
  const free = count === 1 ? "is free" : "are free";
  return `${lack} of pool '${metadata.name}' ${free}: ${used} of ${size} are used${rest}`;
}
