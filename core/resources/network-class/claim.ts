import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { objectKey } from "../../kernel/object/keys.ts";
import type { Kind } from "../../kernel/object/object.ts";
import { eq, type Write } from "../../kernel/store/store.ts";
import type { Usage } from "../../ports/ipam/ipam.ts";
import { claimWith, releaseWith } from "../../ports/ipam/own/numbers.ts";
import type { ClassPool, NetworkClass } from "./model.ts";
import { classPoolsOf, poolNamed } from "./pools.ts";

/** The numbers of a class that a network holds from its order until its deletion. */

/** The numbers in a holder's record, by the name of their pool. */
export type ClassNumbers = Record<string, number>;

export interface Claimed {
  numbers: Partial<Record<ClassPool, number>>;
  /** The numbers for the record of the holder. */
  held: ClassNumbers;
  writes: Write[];
}

/**
 * Claims a number from each of these pools that the class has, for an object that the same transaction accepts. Throws
 * FailedPrecondition if a pool is exhausted.
 */
export async function claimOf(
  deps: Pick<Deps, "store" | "kinds" | "clock">,
  networkClass: NetworkClass,
  uses: readonly ClassPool[],
  holder: { kind: Kind; id: string },
): Promise<Claimed> {
  const pools = classPoolsOf(networkClass).filter(({ use }) => uses.includes(use));
  const claimed: Claimed = { numbers: {}, held: {}, writes: [] };
  const offers = await Promise.all(pools.map(({ pool }) => claimWith(deps, pool, holder, 1)));
  let isFirst = false;
  for (const [n, { use, pool }] of pools.entries()) {
    const offer = offers[n];
    if (!offer) continue;
    if ("short" in offer) throw exhausted(networkClass, use, offer.short);
    const [number = pool.first] = offer.numbers;
    claimed.numbers[use] = number;
    claimed.held[pool.name] = number;
    claimed.writes.push(...offer.writes);
    isFirst ||= offer.isFirst;
  }
  const { id, revision } = networkClass;
  // A pool that never gave out a number can still be redefined.
  if (isFirst)
    claimed.writes.push({ check: objectKey("network_class", id), if: eq("revision", revision) });
  return claimed;
}

/** The writes that release numbers, for the transaction that deletes their holder. */
export const releaseOfClass = (
  deps: Pick<Deps, "clock">,
  held: ClassNumbers | undefined,
  holder: { kind: Kind; id: string },
): Write[] =>
  Object.entries(held ?? {}).flatMap(([name, number]) =>
    releaseWith(deps, poolNamed(name), holder, [number]),
  );

const words: Record<ClassPool, string> = { ipv4: "IPv4 prefix", ipv6: "IPv6 prefix", vnis: "VNI" };

function exhausted({ id }: NetworkClass, use: ClassPool, { used, resting, size }: Usage): AppError {
  const rest = resting > 0 ? `, ${resting} at rest after their last use` : "";
  const message = `network class '${id}' has no free ${words[use]}: ${used} of ${size} in use${rest}`;
  return new AppError("FailedPrecondition", message);
}
