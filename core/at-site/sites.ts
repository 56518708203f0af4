import type { BareMetalService } from "../ports/bare-metal/service.ts";
import type { Certificates } from "../ports/certificates/certificates.ts";
import type { Dhcp } from "../ports/dhcp/dhcp.ts";
import type { Dns } from "../ports/dns/dns.ts";
import type { Fabric } from "../ports/fabric/fabric.ts";
import type { IdentityProvider } from "../ports/hub/clusters/port.ts";
import type { Inventory } from "../ports/inventory/inventory.ts";
import type { Networks } from "../ports/network/network.ts";
import type { Storage } from "../ports/storage/storage.ts";
import type { Allocator } from "./pools.ts";
import type { Site } from "./site.ts";

/** The systems around a provider's hubs; absent if the site does not have them. */
export interface SiteSystems {
  site: Site;
  fabric?: Fabric;
  /** Tenants' own networks on the fabric. */
  networks?: Networks;
  /** Serves the hosts' addresses; without it the fabric does. */
  dhcp?: Dhcp;
  /** The bare metal service, for hosts that name one of its nodes. */
  bareMetal?: BareMetalService;
  dns?: Dns;
  storage?: Storage;
  /** Mirrors or allocates the site's numbers. */
  allocator?: Allocator;
  /** The inventory of the servers at the site. */
  inventory?: Inventory;
  certificates?: Certificates;
  /** Reads the identity provider, including its secret, which is stored nowhere else. */
  identityProvider?: () => Promise<IdentityProvider>;
}

/** The source of sites' systems; one set for each site and process. */
export interface Sites {
  /** The systems of a site. Throws NotFound for a site that is not registered. */
  systems(site: string): Promise<SiteSystems>;
}

declare module "../kernel/saga/context.ts" {
  interface StepDeps {
    sites: Sites;
  }
}
