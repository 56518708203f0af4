import type { HostLink } from "../../ports/fabric/fabric.ts";
import type { Stand } from "../site/at-site.ts";
import type { Members } from "../subnet/members.ts";
import type { BaremetalInstance } from "./model.ts";

/** The addresses of an instance in one of its subnets, by the place of that among its attachments. */
export const inStand = (
  { kind, id }: BaremetalInstance,
  place: number,
): Members<"baremetal_instance"> => ({
  kind,
  id,
  known: ({ stands = [] }) => stands[place]?.addresses ?? {},
  having: (instance, addresses) => ({
    ...instance,
    stands: instance.stands.map((stand, n) =>
      n === place ? withAddresses(stand, addresses) : stand,
    ),
  }),
});

function withAddresses(
  { addresses: _, ...stand }: Stand,
  addresses: Record<string, string>,
): Stand {
  return Object.keys(addresses).length > 0 ? { ...stand, addresses } : stand;
}

/**
 * The NICs of a host that are in each of these subnets. Those that no attachment names are where the primary one is:
 * no NIC of a tenant's server is left in the provider's network.
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
