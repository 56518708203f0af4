import type { Stand } from "../../at-site/at-site.ts";
import type { HostLink } from "../../ports/fabric/fabric.ts";
import { type Members, macOfNic } from "../subnet/members.ts";
import type { BaremetalInstance } from "./model.ts";

/** The addresses of an instance in one of its subnets. */
export const inSubnet = (
  { kind, id }: Pick<BaremetalInstance, "kind" | "id">,
  subnet: string,
): Members<"baremetal_instance"> => ({
  kind,
  id,
  known: ({ addresses = {} }) => addresses[subnet] ?? {},
  having({ addresses: { [subnet]: _, ...others } = {}, ...instance }, has) {
    const isAny = Object.keys(has).length > 0;
    const addresses = { ...others, ...(isAny && { [subnet]: has }) };
    return { ...instance, ...(Object.keys(addresses).length > 0 && { addresses }) };
  },
});

/**
 * The NICs of a host in each of these subnets. A NIC without an attachment is in the primary subnet, because
 * none may stay in the provider's network.
 */
export function linksByStand<Link extends Pick<HostLink, "mac">>(
  stands: readonly Stand[],
  nics: readonly { name: string; link: Link }[],
): Link[][] {
  const named = new Set(stands.map((stand) => stand.interface));
  return stands.map((stand) =>
    nics
      .filter(({ name }) => name === stand.interface || (stand.primary && !named.has(name)))
      .map(({ link }) => link),
  );
}

type Nics = Pick<BaremetalInstance, "nics" | "addresses">;

/** The MAC addresses of an instance's NICs in each of these subnets. */
export const macsByStand = (stands: readonly Stand[], { nics = [] }: Nics): string[][] =>
  linksByStand(
    stands,
    nics.map(({ name, mac }) => ({ name, link: { mac } })),
  ).map((links) => links.map(({ mac }) => mac.toLowerCase()));

/** A server's address in each of these subnets: the address of its first NIC there. */
export const addressesByStand = (
  stands: readonly Stand[],
  instance: Nics,
): (string | undefined)[] =>
  macsByStand(stands, instance).map(([mac = ""], place) => {
    const claimed = instance.addresses?.[stands[place]?.subnet ?? ""] ?? {};
    return Object.entries(claimed).find(([name]) => macOfNic(name) === mac)?.[1];
  });

/** The address of a server to which external IPs lead, and its subnet. */
export function primaryAddress(
  instance: (Nics & Pick<BaremetalInstance, "stands">) | undefined,
): { stand: Stand; address: string } | undefined {
  if (!instance) return undefined;
  const { stands } = instance;
  const place = stands.findIndex(({ primary }) => primary);
  const stand = stands[place];
  const address = addressesByStand(stands, instance)[place];
  return stand && address !== undefined ? { stand, address } : undefined;
}
