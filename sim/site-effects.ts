/** The address of a NIC. */
export interface NicAddress {
  address: string;
  prefixLength: number;
  /** Whether the subnet has a router. */
  isRouted: boolean;
}

/** The effects of a site's systems on machines, and on clients of their services. */
export interface SiteEffects {
  /** Whether a switch port is in a VLAN. */
  isInVlan(switchName: string, port: string): boolean;
  /** DHCP's current answer to a NIC. */
  leaseOf(mac: string): NicAddress | undefined;
  /** The IPv4 addresses of a name, by the site's DNS. */
  resolve(name: string): string[];
  /** The inside address of a floating IP. */
  addressBehind(floatingIp: string): string | undefined;
  /** Calls `listener` whenever any of this may have changed; the returned function unsubscribes. */
  watch(listener: () => void): () => void;
}

/** Whether a name resolves to an address, directly or through a floating IP. */
export const leadsTo = (site: SiteEffects, name: string, address: string): boolean =>
  site.resolve(name).some((found) => found === address || site.addressBehind(found) === address);
