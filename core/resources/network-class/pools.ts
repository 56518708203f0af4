import { minutes } from "../../clock.ts";
import type { NumberPool } from "../../ports/ipam/ipam.ts";
import { partAt, partsIn } from "../../prefix.ts";
import {
  type ClassPool,
  classPools,
  type NetworkClass,
  type NetworkClassSpec,
  type PrefixPool,
} from "./model.ts";

/** The numbers that a class has for its networks: prefixes of each family, and VNIs. Pure. */

/** How long a number rests after its network is gone, beyond the last thing that had it. */
const rest = minutes(10);

/** A class of the same name that comes later has pools of its own. */
const nameOf = (use: ClassPool, { id, metadata }: Pick<NetworkClass, "id" | "metadata">): string =>
  `network_${use}#${id}#${metadata.creation_timestamp}`;

/** How many prefixes a pool has. */
export const prefixCount = ({ cidrs, length }: PrefixPool): number =>
  cidrs.reduce((sum, cidr) => sum + partsIn(cidr, length), 0);

/** What the spec of a class says of a pool. */
export const poolDefinitionOf = (
  { vni_range, prefix_pools }: Pick<NetworkClassSpec, "vni_range" | "prefix_pools">,
  use: ClassPool,
) => (use === "vnis" ? vni_range : prefix_pools?.[use]);

type Pooled = Pick<NetworkClass, "id" | "metadata" | "spec">;

/** The pool of a class for one use; undefined for a class without. */
export function classPoolOf(networkClass: Pooled, use: ClassPool): NumberPool | undefined {
  const range = rangeOf(networkClass, use);
  return range && { name: nameOf(use, networkClass), ...range, rest };
}

function rangeOf(
  { spec: { vni_range: vnis, prefix_pools: pools } }: Pooled,
  use: ClassPool,
): Pick<NumberPool, "first" | "size"> | undefined {
  if (use === "vnis") return vnis && { first: vnis.first, size: vnis.last - vnis.first + 1 };
  const pool = pools?.[use];
  return pool && { first: 0, size: prefixCount(pool) };
}

/** The pools of a class. */
export const classPoolsOf = (networkClass: NetworkClass): { use: ClassPool; pool: NumberPool }[] =>
  classPools.flatMap((use) => {
    const pool = classPoolOf(networkClass, use);
    return pool ? [{ use, pool }] : [];
  });

/** The pool of a number that somebody has, as far as its release needs it. */
export const poolNamed = (name: string): NumberPool => ({ name, first: 0, size: 0, rest });

/** The prefix with a number. Throws RangeError for a number that the pool does not have. */
export function prefixWith({ cidrs, length }: PrefixPool, number: number): string {
  let place = number;
  for (const cidr of cidrs) {
    const parts = partsIn(cidr, length);
    if (place < parts) return partAt(cidr, length, place);
    place -= parts;
  }
  throw new RangeError(`there is no prefix ${number} in ${cidrs.join(", ")}`);
}
