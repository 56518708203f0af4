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

/** The pools of numbers in a class: prefixes of each family, and VNIs. Pure. */

/** The rest of a number after its network is deleted, which begins when nothing has the number any more. */
const rest = minutes(10);

/** The names include the creation time, so that a later class of the same name has pools of its own. */
const nameOf = (use: ClassPool, { id, metadata }: Pick<NetworkClass, "id" | "metadata">): string =>
  `network_${use}#${id}#${metadata.creation_timestamp}`;

/** The number of prefixes in a pool. */
export const prefixCount = ({ cidrs, length }: PrefixPool): number =>
  cidrs.reduce((sum, cidr) => sum + partsIn(cidr, length), 0);

/** The definition of a pool in the spec of a class. */
export const poolDefinitionOf = (
  { vni_range, prefix_pools }: Pick<NetworkClassSpec, "vni_range" | "prefix_pools">,
  use: ClassPool,
) => (use === "vnis" ? vni_range : prefix_pools?.[use]);

type Pooled = Pick<NetworkClass, "id" | "metadata" | "spec">;

/** The pool of a class for this use; undefined if the class has none. */
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

/** The pool of a held number, with only the members that a release needs. */
export const poolNamed = (name: string): NumberPool => ({ name, first: 0, size: 0, rest });

/** The prefix for a number. Throws RangeError for a number beyond the pool. */
export function prefixWith({ cidrs, length }: PrefixPool, number: number): string {
  let place = number;
  for (const cidr of cidrs) {
    const parts = partsIn(cidr, length);
    if (place < parts) return partAt(cidr, length, place);
    place -= parts;
  }
  throw new RangeError(`there is no prefix ${number} in ${cidrs.join(", ")}`);
}
