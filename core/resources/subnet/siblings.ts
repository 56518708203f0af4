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
 * One item with the prefixes of all subnets of a network. The transaction that accepts a subnet adds its prefixes
 * there, so subnets of a network never overlap, even if ordered at the same time.
 */

/** The limit of subnets in a network, because each order for another one reads all of them. */
const subnetLimit = 200;

/** One, because nothing on a hub routes between segments. */
const subnetLimitOnHub = 1;

/** The members of the item, besides its revision, that are not subnets. */
const others = ["pk", "sk"];

/** The item of a network's subnets; undefined before the first subnet, and for a network that does not exist. */
export const siblingsIn = async (
  store: Store,
  network: string | undefined,
): Promise<Item | undefined> =>
  network === undefined ? undefined : store.get(subnetPrefixesKey(network));

/** The default lengths of prefixes. */
const usualLengths = { ipv4: 24, ipv6: 64 } as const;

/**
 * Free prefixes for a subnet that names none: one of each family of its network. If the network is smaller than the
 * desired length, the subnet gets the whole network. Throws FailedPrecondition if no prefix is free.
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
 * The writes that add a subnet's prefixes; adds a violation for each one outside of its network or overlapping another
 * subnet.
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
    // A prefix of the other family gets its violation elsewhere.
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

/** The write that removes a subnet's prefixes. */
export const releaseSubnetPrefixes = (network: string, subnet: string): Write => ({
  update: subnetPrefixesKey(network),
  remove: [subnet],
  add: { revision: 1 },
  if: exists,
});

/** The subnets and their prefixes in a network's item. */
export const subnetsIn = (item: Item | undefined): { id: string; cidrs: string[] }[] =>
  Object.entries(item ?? {})
    .filter(([name]) => ![...others, "revision"].includes(name))
    .map(([id, stored]) => ({ id, cidrs: prefixesIn(stored) }));

const prefixesIn = (stored: unknown): string[] =>
  Array.isArray(stored) ? stored.filter((each) => typeof each === "string") : [];
