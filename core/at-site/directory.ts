import { AppError } from "../error.ts";
import type { Kinds } from "../kernel/object/kind.ts";
import { mustLoad } from "../kernel/object/records.ts";
import type { Store } from "../kernel/store/store.ts";
import type { Secrets } from "../ports/secrets/secrets.ts";
import {
  adapterOf,
  allocators,
  bareMetalServices,
  dhcpServers,
  dnsServices,
  fabrics,
  inventories,
  type SystemsOptions,
  storages,
} from "./adapters.ts";
import { type Site, type SiteSecrets, type SiteSpec, siteSecretsSchema } from "./site.ts";
import type { SiteSystems, Sites } from "./sites.ts";

export interface SiteDirectoryOptions extends SystemsOptions {
  store: Store;
  kinds: Kinds;
  secrets: Secrets;
}

/** The systems of each registered site, reopened when its registration changes. */
export function siteDirectory(options: SiteDirectoryOptions): Sites {
  const known = new Map<string, { generation: number; systems: SiteSystems }>();
  return {
    async systems(id) {
      const site = await mustLoad(options, "site", id);
      const entry = known.get(id);
      if (entry?.generation === site.generation) return entry.systems;
      const secret = (part: keyof SiteSecrets) => secretOf(site, part, options.secrets);
      const systems = { site, ...(await systemsOf(site.spec, secret, options)) };
      known.set(id, { generation: site.generation, systems });
      return systems;
    },
  };
}

/** The systems of a site; their secrets are read on use. */
export async function systemsOf(
  spec: Omit<SiteSpec, "credentials">,
  secret: (part: keyof SiteSecrets) => Promise<string>,
  options: SystemsOptions,
): Promise<Omit<SiteSystems, "site">> {
  const { wall } = options;
  const { fabric, dhcp, allocator, inventory, dns, storage, certificates } = spec;
  const { identity_provider: identity, bare_metal: bareMetal } = spec;
  const optionsFor = (part: keyof SiteSecrets) => ({ ...options, secret: () => secret(part) });
  return {
    ...(fabric && (await adapterOf(fabrics, fabric).open(fabric, optionsFor("fabric")))),
    ...(allocator && {
      allocator: await adapterOf(allocators, allocator).open(allocator, optionsFor("allocator")),
    }),
    ...(inventory && {
      inventory: await adapterOf(inventories, inventory).open(inventory, optionsFor("inventory")),
    }),
    ...(dhcp && { dhcp: await adapterOf(dhcpServers, dhcp).open(dhcp, optionsFor("dhcp")) }),
    ...(bareMetal && {
      bareMetal: await adapterOf(bareMetalServices, bareMetal).open(
        bareMetal,
        optionsFor("bare_metal"),
      ),
    }),
    ...(dns && { dns: await adapterOf(dnsServices, dns).open(dns, optionsFor("dns")) }),
    ...(storage && {
      storage: await adapterOf(storages, storage).open(storage, optionsFor("storage")),
    }),
    ...(identity && {
      identityProvider: async () => ({
        name: identity.name,
        issuer: identity.issuer,
        clientId: identity.client_id,
        clientSecret: await secret("identity_provider"),
        ...(identity.groups_claim !== undefined && { groupsClaim: identity.groups_claim }),
      }),
    }),
    ...(certificates && {
      certificates: (await authorities()).certificateAuthority({
        authority: async () => ({
          certificate: certificates.authority,
          key: await secret("certificates"),
        }),
        // Certificates are checked against real time, not the simulated clock.
        clock: wall,
      }),
    }),
  };
}

/** Loaded on first use: not every site issues certificates, and the code takes long to load. */
const authorities = () => import("../ports/certificates/authority.ts");

async function secretOf(
  { id, spec }: Site,
  part: keyof SiteSecrets,
  secrets: Secrets,
): Promise<string> {
  const text = await secrets.get(spec.credentials);
  const value = text === undefined ? undefined : siteSecretsSchema.parse(JSON.parse(text))[part];
  if (value !== undefined) return value;
  throw new AppError("Unavailable", `the credentials of the ${part} of site ${id} are missing`);
}
