import { numberOf, prefixesOf } from "../ipv4.ts";
import { literalIn, wholeOf } from "../kernel/input/address.ts";
import { canonicalCidr } from "../kernel/input/cidr.ts";
import { overlap } from "../prefix.ts";
import type { SiteSpec } from "./site.ts";

/** A site's own prefixes and addresses. Pure. */

const ownMembers = [
  "network.prefixes.cidr",
  "network.floating_ips",
  "network.dns_servers",
  "machines.admin_network.cidr",
  "machines.management_network.cidr",
  "machines.loopbacks",
  "machines.url",
] as const;
type OwnMember = (typeof ownMembers)[number];

/**
 * Members that overlay networks must not overlap: hosts behind DPUs boot in these networks and contact these
 * servers.
 */
export const ownOfMachines = [
  "machines.admin_network.cidr",
  "machines.management_network.cidr",
  "machines.loopbacks",
  "machines.url",
] as const satisfies OwnMember[];

export interface Own {
  member: OwnMember;
  /** In the notation of the site's spec, such as `10.251.0.1 to 10.251.0.9`. */
  text: string;
  /** The text with its meaning, such as `10.240.0.0/16, the network of free hosts`. */
  what: string;
  cidrs: readonly string[];
}

type Spec = Pick<SiteSpec, "network" | "machines">;
interface Range {
  first: string;
  last: string;
}

/** A site's own prefixes in these members of its spec. */
export function ownPrefixes(
  { network, machines }: Spec,
  members: readonly OwnMember[] = ownMembers,
): Own[] {
  const owns: Own[] = [];
  const add = (member: OwnMember, text: string, meaning: string, cidrs: readonly string[]) => {
    if (members.includes(member)) owns.push({ member, text, what: `${text}, ${meaning}`, cidrs });
  };
  const prefix = (member: OwnMember, of: string | undefined, meaning: string) => {
    const cidr = of && (canonicalCidr(of) ?? of);
    if (cidr) add(member, cidr, meaning, [cidr]);
  };
  const range = (member: OwnMember, of: Range | undefined, meaning: string) => {
    if (of) add(member, `${of.first} to ${of.last}`, meaning, prefixesIn(of));
  };
  range("network.floating_ips", network?.floating_ips, "the floating IPs");
  prefix("network.prefixes.cidr", network?.prefixes.cidr, "the prefixes of clusters");
  for (const address of network?.dns_servers ?? [])
    add("network.dns_servers", address, "a name server", [`${address}/32`]);
  const { admin_network: admin, management_network: management, loopbacks } = machines ?? {};
  prefix("machines.admin_network.cidr", admin?.cidr, "the network of free hosts");
  prefix(
    "machines.management_network.cidr",
    management?.cidr,
    "the network of controllers and DPUs",
  );
  range("machines.loopbacks", loopbacks, "the loopbacks of DPUs");
  const controller = machines && literalIn(machines.url);
  if (controller !== undefined)
    add("machines.url", controller, "the site controller", [wholeOf(controller)]);
  return owns;
}

const prefixesIn = ({ first, last }: Range): string[] =>
  prefixesOf(numberOf(first), numberOf(last));

/** The site's own prefixes that are new. */
export const addedTo = (had: Spec | undefined, has: Spec): Own[] => {
  const known = had ? ownPrefixes(had) : [];
  return ownPrefixes(has).filter(
    ({ member, what }) => !known.some((each) => each.member === member && each.what === what),
  );
};

/** Members with the address of a server, which may be inside another member's network. */
const standing: readonly OwnMember[] = ["network.dns_servers", "machines.url"];

/**
 * The prefixes for clusters: a name server's address must not be in them, since a host could get the same
 * address.
 */
const givenAway: OwnMember = "network.prefixes.cidr";

/** The pairs of members that overlap. An overlap would give an address two uses at the site. */
export function twiceIn(spec: Spec): { own: Own; other: Own }[] {
  const owns = ownPrefixes(spec);
  const meet = (own: Own, other: Own): boolean =>
    (!standing.includes(own.member) ||
      (own.member === "network.dns_servers" && other.member === givenAway)) &&
    !standing.includes(other.member) &&
    own.cidrs.some((a) => other.cidrs.some((b) => overlap(a, b)));
  return owns.flatMap((own, n) =>
    owns
      .slice(0, n)
      .filter((other) => meet(own, other))
      .map((other) => ({ own, other })),
  );
}
