import { numberOf, prefixesOf } from "../ipv4.ts";
import { literalIn, wholeOf } from "../kernel/input/address.ts";
import { canonicalCidr } from "../kernel/input/cidr.ts";
import { overlap } from "../prefix.ts";
import type { SiteSpec } from "./site.ts";

/** The prefixes and addresses that a site has for itself. Pure. */

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

/** What members of the overlays of DPUs meet: their hosts come from these networks, and ask there. */
export const ownOfMachines = [
  "machines.admin_network.cidr",
  "machines.management_network.cidr",
  "machines.loopbacks",
  "machines.url",
] as const satisfies OwnMember[];

export interface Own {
  /** The member of the site's spec that says so. */
  member: OwnMember;
  /** As the site says it, such as `10.251.0.1 to 10.251.0.9`. */
  text: string;
  /** The same with its meaning, such as `10.240.0.0/16, the network of free hosts`. */
  what: string;
  cidrs: readonly string[];
}

type Spec = Pick<SiteSpec, "network" | "machines">;
interface Range {
  first: string;
  last: string;
}

/** What a site has for itself, as far as these members say. */
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

/** What a site has now for itself that it had not before. */
export const addedTo = (had: Spec | undefined, has: Spec): Own[] => {
  const known = had ? ownPrefixes(had) : [];
  return ownPrefixes(has).filter(
    ({ member, what }) => !known.some((each) => each.member === member && each.what === what),
  );
};

/** Members in which an address may be one of another member's too: what answers there stands somewhere. */
const standing: readonly OwnMember[] = ["network.dns_servers", "machines.url"];

/** What clusters get a part of: a name server in there would be one of their hosts. */
const givenAway: OwnMember = "network.prefixes.cidr";

/** The pairs of members by which an address has two meanings at the site. */
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
