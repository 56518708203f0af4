import { isDeepStrictEqual } from "node:util";
import type { Violation } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import type { Write } from "../../kernel/store/store.ts";
import { ownIpam } from "../../ports/ipam/own/own.ts";
import { addressFamily, type Family, lengthOf, overlap } from "../../prefix.ts";
import { type Kept, keptFault } from "./kept.ts";
import {
  type ClassPool,
  classPools,
  type NetworkClass,
  type NetworkClassSpec,
  prefixUses,
} from "./model.ts";
import { classPoolOf, poolDefinitionOf, prefixCount } from "./pools.ts";
import { familyNames, networkLengths, neverFault, publicFault } from "./prefix-rules.ts";

/** The rules for the pools of a class, and for their changes. */

/** The limit of prefixes in a pool. */
const most = 2 ** 32;

/** Adds a violation for each fault of a pool by itself. */
export function refuseFaultyPools(
  spec: NetworkClassSpec,
  kept: readonly Kept[],
  violations: Violation[],
): void {
  const { prefix_pools: pools, allows_public } = spec;
  for (const family of prefixUses) {
    const pool = pools?.[family];
    if (!pool) continue;
    const field = `spec.prefix_pools.${family}`;
    const refuse = (member: string, message: string) =>
      violations.push({ field: `${field}.${member}`, message });
    const { cidrs, length } = pool;
    const { least, most: longest } = networkLengths[family];
    if (length < least || length > longest)
      refuse("length", `must be ${least} to ${longest}, as networks can have`);
    for (const [n, cidr] of cidrs.entries()) {
      const fault =
        faultOf(cidr, family, length) ??
        neverFault(cidr, spec) ??
        publicFault(cidr, allows_public) ??
        keptFault(cidr, kept) ??
        overlapIn(cidr, cidrs.slice(0, n));
      if (fault !== undefined) refuse(`cidrs[${n}]`, fault);
    }
    if (prefixCount(pool) > most)
      refuse("cidrs", "have more than 4294967296 prefixes of this length");
  }
}

function faultOf(cidr: string, family: Family, length: number): string | undefined {
  if (addressFamily(cidr) !== family)
    return `must be an ${familyNames[family]} prefix, and ${cidr} is none`;
  if (lengthOf(cidr) > length) return `is too small: it has no prefix of length ${length}`;
  return undefined;
}

function overlapIn(cidr: string, others: readonly string[]): string | undefined {
  const twice = others.find((other) => overlap(cidr, other));
  return twice && `${cidr} overlaps ${twice}`;
}

/**
 * The writes for changed pools of a class. Adds a violation for each change that would change the meaning of a number
 * that a network has or had.
 */
export async function changePools(
  deps: Deps,
  before: NetworkClass | undefined,
  after: NetworkClassSpec,
  violations: Violation[],
): Promise<Write[]> {
  if (!before) return [];
  const ipam = ownIpam(deps);
  const writes: Write[] = [];
  for (const use of classPools) {
    const pool = classPoolOf(before, use);
    if (!pool || isSame(before.spec, after, use)) continue;
    if (!(await ipam.wasUsed(pool))) writes.push(...(await ipam.redefine(pool)));
    else if (!isExtended(before.spec, after, use))
      violations.push(
        use === "vnis"
          ? {
              field: "spec.vni_range",
              message: "can only end higher, because networks have had VNIs of it",
            }
          : {
              field: `spec.prefix_pools.${use}`,
              message:
                "can only get further cidrs at the end, because networks have had prefixes of it",
            },
      );
  }
  return writes;
}

/** Whether a pool has the same numbers; its low mark may differ. */
function isSame(had: NetworkClassSpec, has: NetworkClassSpec, use: ClassPool): boolean {
  const [before, after] = [had, has].map((spec) => {
    const { low_mark: _, ...numbers } = poolDefinitionOf(spec, use) ?? {};
    return numbers;
  });
  return isDeepStrictEqual(before, after);
}

/** Whether the pool only gains numbers, so that each number keeps its meaning. */
function isExtended(had: NetworkClassSpec, has: NetworkClassSpec, use: ClassPool): boolean {
  if (use === "vnis") {
    const [before, after] = [had.vni_range, has.vni_range];
    return before?.first === after?.first && (after?.last ?? 0) >= (before?.last ?? 0);
  }
  const [before, after] = [had.prefix_pools?.[use], has.prefix_pools?.[use]];
  if (!before || !after || before.length !== after.length) return false;
  return isDeepStrictEqual(after.cidrs.slice(0, before.cidrs.length), before.cidrs);
}
