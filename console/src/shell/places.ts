import type { IconName } from "../ui/icon.tsx";

/** The places of the navigation, for the provider and for tenants. */

export interface Place {
  to: string;
  name: string;
  icon: IconName;
  /** The second key after `g` that opens it. */
  key: string;
  /** The kinds, by their names in paths, whose objects' pages belong to this place. */
  plurals?: readonly string[];
}

export const ofStaff: readonly Place[] = [
  { to: "/", name: "Now", icon: "now", key: "n" },
  { to: "/orders", name: "Orders", icon: "orders", key: "o" },
  { to: "/hubs", name: "Hubs", icon: "hubs", key: "h" },
  { to: "/hosts", name: "Hosts", icon: "hosts", key: "s", plurals: ["hosts", "dpus"] },
  { to: "/sites", name: "Sites", icon: "sites", key: "i" },
  { to: "/tenants", name: "Tenants", icon: "tenants", key: "t" },
  { to: "/catalog", name: "Catalog", icon: "catalog", key: "c" },
  { to: "/audit", name: "Audit", icon: "audit", key: "a" },
];

const ofNetworks = [
  ...["virtual_networks", "subnets", "security_groups"],
  ...["nat_gateways", "external_ip_attachments"],
];

export const ofTenants: readonly Place[] = [
  { to: "/orders", name: "Clusters", icon: "clusters", key: "o" },
  { to: "/new", name: "New cluster", icon: "add", key: "c" },
  {
    ...{ to: "/servers", name: "Servers", icon: "hosts", key: "s" },
    plurals: ["baremetal_instances"],
  },
  { to: "/networks", name: "Networks", icon: "networks", key: "n", plurals: ofNetworks },
  { to: "/catalog", name: "Catalog", icon: "catalog", key: "i" },
  { to: "/webhooks", name: "Webhooks", icon: "webhooks", key: "w" },
];

/** The place that a page belongs to. */
export function placeOf(places: readonly Place[], pathname: string): Place | undefined {
  const plural = /^\/orders\/(\w+)/.exec(pathname)?.[1];
  const own = places.find(({ plurals }) => plural !== undefined && plurals?.includes(plural));
  return (
    own ??
    places.find(({ to }) =>
      to === "/" ? pathname === "/" : pathname === to || pathname.startsWith(`${to}/`),
    )
  );
}
