import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { objectKey } from "../../kernel/object/keys.ts";
import type { Kind } from "../../kernel/object/object.ts";
import { eq, type Write } from "../../kernel/store/store.ts";
import type { Usage } from "../../ports/ipam/ipam.ts";
import { claimWith, releaseWith } from "../../ports/ipam/own/numbers.ts";
import type { ClassPool, NetworkClass } from "./model.ts";
import { classPoolsOf, poolNamed } from "./pools.ts";

/** Numbers of a class that a network has from its order until it is gone. */

/** The numbers that a record says it has, by the name of their pool. */
export type ClassNumbers = Record<string, number>;

export interface Claimed {
  numbers: Partial<Record<ClassPool, number>>;
  /** For the record of the holder. */
  held: ClassNumbers;
  writes: Write[];
}

/**
 * Claims a number of each of these pools that the class has, for an object that is accepted in the same transaction.
 * Throws FailedPrecondition where a pool has none left.
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
  // A pool of which nobody ever had a number may be given another meaning.
  if (isFirst)
    claimed.writes.push({ check: objectKey("network_class", id), if: eq("revision", revision) });
  return claimed;
}

/** The writes that give numbers back, for the transaction after which their holder is gone. */
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
