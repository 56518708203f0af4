import { AppError, type Violation } from "../../error.ts";
import { subnetPrefixesKey } from "../../kernel/object/keys.ts";
import { eq, exists, type Item, lacks, type Store, type Write } from "../../kernel/store/store.ts";
import { addressFamily, freePart, isWithin, lengthOf, overlap } from "../../prefix.ts";
import type { NetworkClassSpec } from "../network-class/model.ts";
import type { VirtualNetwork } from "../virtual-network/model.ts";
import {
  familyOfMember,
  type NetworkPrefixes,
  prefixMembers,
} from "../virtual-network/prefixes.ts";

/**
 * The prefixes of a network's subnets, in one item: a subnet is accepted in the transaction that adds its
 * prefixes there, so no two subnets of a network overlap, however they are ordered.
 */

/** The most subnets of a network: all of them are read with each order for another. */
const subnetLimit = 200;

/** Nothing on a hub routes between segments. */
const subnetLimitOnHub = 1;

/** The members of the item that are no subnet, beside its revision. */
const others = ["pk", "sk"];

/** The item of a network's subnets; undefined before the first, and for a network that is not there. */
export const siblingsIn = async (
  store: Store,
  network: string | undefined,
): Promise<Item | undefined> =>
  network === undefined ? undefined : store.get(subnetPrefixesKey(network));

/** The lengths of prefixes that nobody has said otherwise of. */
const usualLengths = { ipv4: 24, ipv6: 64 } as const;

/**
 * Free prefixes for a subnet that names none, one of each family that its network has. In a network that is smaller than
 * the desired length a subnet gets all of it. Throws FailedPrecondition where none is free.
 */
export function freePrefixes(
  known: Item | undefined,
  network: VirtualNetwork,
  wanted: NetworkClassSpec["subnet_lengths"],
): NetworkPrefixes {
  const taken = Object.values(known ?? {}).flatMap(prefixesIn);
  const chosen: NetworkPrefixes = {};
  for (const member of prefixMembers) {
    const whole = network.spec[member];
    if (whole === undefined) continue;
    const family = familyOfMember[member];
    const length = Math.max(wanted?.[family] ?? usualLengths[family], lengthOf(whole));
    const free = freePart(whole, length, taken);
    if (free === undefined)
      throw new AppError(
        "FailedPrecondition",
        `network '${network.metadata.name}' has no free prefix of length ${length} in ${whole}`,
      );
    chosen[member] = free;
  }
  return chosen;
}

/**
 * The writes that add a subnet's prefixes; adds a violation for each that is outside of its network or overlaps
 * another subnet.
 */
export function claimSubnetPrefixes(
  known: Item | undefined,
  {
    network,
    subnet,
    prefixes,
  }: { network: VirtualNetwork; subnet: string; prefixes: NetworkPrefixes },
  violations: Violation[],
): Write[] {
  const update = subnetPrefixesKey(network.id);
  const { revision, ...item }: Item = known ?? { ...update };
  const siblings = Object.entries(item).filter(([name]) => !others.includes(name));
  const most = network.hub ? subnetLimitOnHub : subnetLimit;
  if (siblings.length >= most)
    violations.push({
      field: "spec.virtual_network",
      message: `network '${network.metadata.name}' has ${siblings.length} of the ${most} subnets that it can have`,
    });
  for (const member of prefixMembers) {
    const cidr = prefixes[member];
    // One of the other family is refused by itself.
    if (cidr === undefined || addressFamily(cidr) !== familyOfMember[member]) continue;
    const refuse = (message: string) => violations.push({ field: `spec.${member}`, message });
    const whole = network.spec[member];
    if (whole === undefined) refuse(`network '${network.metadata.name}' has no ${member}`);
    else if (!isWithin(whole, cidr))
      refuse(`${cidr} is not within ${whole}, the prefix of network '${network.metadata.name}'`);
    for (const [id, text] of siblings) {
      const taken = prefixesIn(text).find((each) => overlap(each, cidr));
      if (taken) refuse(`${cidr} overlaps ${taken}, the prefix of subnet '${id}'`);
    }
  }
  return [
    {
      update,
      set: { [subnet]: prefixMembers.flatMap((member) => prefixes[member] ?? []) },
      add: { revision: 1 },
      if: typeof revision === "number" ? eq("revision", revision) : lacks("revision"),
    },
  ];
}

/** The write that takes a subnet's prefixes away. */
export const releaseSubnetPrefixes = (network: string, subnet: string): Write => ({
  update: subnetPrefixesKey(network),
  remove: [subnet],
  add: { revision: 1 },
  if: exists,
});

/** The subnets of a network with their prefixes, as the network's item has them. */
export const subnetsIn = (item: Item | undefined): { id: string; cidrs: string[] }[] =>
  Object.entries(item ?? {})
    .filter(([name]) => ![...others, "revision"].includes(name))
    .map(([id, stored]) => ({ id, cidrs: prefixesIn(stored) }));

const prefixesIn = (stored: unknown): string[] =>
  Array.isArray(stored) ? stored.filter((each) => typeof each === "string") : [];
