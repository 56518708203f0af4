import type { Certificates } from "../../ports/certificates/certificates.ts";
import type { Dns } from "../../ports/dns/dns.ts";
import type { Fabric } from "../../ports/fabric/fabric.ts";
import type { IdentityProvider } from "../../ports/hub/clusters/port.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import type { Site } from "./model.ts";

/** What a provider has around its hubs; a system that a site does not have is absent. */
export interface SiteSystems {
  site: Site;
  fabric?: Fabric;
  dns?: Dns;
  storage?: Storage;
  certificates?: Certificates;
  /** With its secret, which is read for this and kept nowhere. */
  identityProvider?: () => Promise<IdentityProvider>;
}

/** Where the systems of sites come from; one set per site and process. */
export interface Sites {
  /** Throws NotFound for a site that is not registered. */
  systems(site: string): Promise<SiteSystems>;
}

declare module "../../kernel/deps.ts" {
  interface Deps {
    sites: Sites;
  }
}
