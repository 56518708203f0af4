import { timestamp } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { objectKey } from "../../kernel/object/keys.ts";
import { mustLoad } from "../../kernel/object/records.ts";
import { eq, type Write } from "../../kernel/store/store.ts";
import { claimWith, releaseWith } from "../../ports/ipam/own/numbers.ts";
import type { ExternalIpPool } from "../external-ip-pool/model.ts";
import { addressWith, numbersOfPool, numberWith } from "../external-ip-pool/numbers.ts";
import type { ExternalIp } from "./model.ts";

/**
 * The address of an external IP, claimed in the transaction that makes the object, and released in the one that
 * deletes it. So no address is without its object at any time, whatever dies when.
 */

/** The next address of a pool, for a new external IP. Throws FailedPrecondition where none is free. */
export async function claimAddress(
  deps: Deps,
  pool: ExternalIpPool,
  id: string,
): Promise<{ address: string; writes: Write[] }> {
  const offer = await claimWith(deps, numbersOfPool(pool), { kind: "external_ip", id }, 1);
  if ("short" in offer) throw new AppError("FailedPrecondition", exhausted(pool, offer));
  const { numbers, writes, isFirst } = offer;
  return {
    address: addressWith(pool.spec.cidrs, numbers[0] ?? 0),
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
    throw new AppError("Internal", `${address} is no address of pool '${pool.id}'`);
  return releaseWith(deps, numbersOfPool(pool), { kind: "external_ip", id }, [number]);
}

function exhausted(
  { metadata }: ExternalIpPool,
  {
    short: { used, resting, size },
    next,
  }: Extract<Awaited<ReturnType<typeof claimWith>>, { short: unknown }>,
): string {
  const rest =
    resting > 0 && next !== undefined
      ? `, and ${resting} rest, the first until ${timestamp(next)}`
      : "";
  return `no address of pool '${metadata.name}' is free: ${used} of ${size} are used${rest}`;
}
