/** The address of a NIC. */
export interface NicAddress {
  address: string;
  prefixLength: number;
  /** Whether a router leads out of the subnet. */
  isRouted: boolean;
}

/** What the systems of a site do for its machines, and for clients of what runs on them. */
export interface SiteEffects {
  /** Whether a switch port is in a VLAN. */
  isInVlan(switchName: string, port: string): boolean;
  /** The present answer of DHCP to a NIC. */
  leaseOf(mac: string): NicAddress | undefined;
  /** The IPv4 addresses of a name, by the site's DNS. */
  resolve(name: string): string[];
  /** The inside address that a floating IP leads to. */
  addressBehind(floatingIp: string): string | undefined;
  /** Calls `listener` whenever something of this may have changed. Answers a function that ends this. */
  watch(listener: () => void): () => void;
}

/** Whether a name leads to an address: directly, or by a floating IP in front of it. */
export const leadsTo = (site: SiteEffects, name: string, address: string): boolean =>
  site.resolve(name).some((found) => found === address || site.addressBehind(found) === address);
