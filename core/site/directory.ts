import type { Clock } from "../clock.ts";
import { AppError } from "../error.ts";
import type { HttpFetch } from "../http.ts";
import type { Kinds } from "../kernel/object/kind.ts";
import { mustLoad } from "../kernel/object/records.ts";
import type { Store } from "../kernel/store/store.ts";
import type { Dns } from "../ports/dns/dns.ts";
import { type AskAuthority, askAuthority } from "../ports/dns/powerdns/authority.ts";
import { PowerDns } from "../ports/dns/powerdns/powerdns.ts";
import { neutronFabric } from "../ports/fabric/neutron/neutron.ts";
import type { Secrets } from "../ports/secrets/secrets.ts";
import { Ceph } from "../ports/storage/ceph/ceph.ts";
import {
  type Site,
  type SiteSecrets,
  type SiteSpec,
  siteSecretsSchema,
} from "../resources/site/model.ts";
import type { SiteSystems, Sites } from "./sites.ts";

export interface SystemsOptions {
  /** Times calls. */
  wall: Clock;
  /** In place of the network. */
  fetch?: HttpFetch;
  /** In place of asking DNS servers over the network. */
  authority?: AskAuthority;
}

export interface SiteDirectoryOptions extends SystemsOptions {
  store: Store;
  kinds: Kinds;
  secrets: Secrets;
}

/** For one call, in milliseconds; the fabric has its own, since it logs into switches. */
const timeout = 10_000;

/** The systems of each registered site, made anew when its registration changes. */
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

/** The systems that a site has; their secrets are asked for when they are needed. */
export async function systemsOf(
  spec: Omit<SiteSpec, "credentials">,
  secret: (part: keyof SiteSecrets) => Promise<string>,
  options: SystemsOptions,
): Promise<Omit<SiteSystems, "site">> {
  const { wall, fetch } = options;
  const { fabric, storage, certificates, identity_provider: identity } = spec;
  const http = { wall, ...(fetch && { fetch }) };
  const dns = await dnsOf(spec, options, secret);
  return {
    ...(fabric && {
      fabric: neutronFabric({
        ...http,
        authUrl: fabric.auth_url,
        credential: async () => ({ id: fabric.credential_id, secret: await secret("fabric") }),
        physicalNetwork: fabric.physical_network,
        externalNetwork: fabric.external_network,
        ...(fabric.region !== undefined && { region: fabric.region }),
      }),
    }),
    ...(dns && { dns }),
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
        // Whoever checks a certificate goes by real time.
        clock: wall,
      }),
    }),
    ...(storage && {
      storage: new Ceph({
        ...http,
        timeout,
        url: storage.url,
        pool: storage.pool,
        credential: async () => ({
          username: storage.username,
          password: await secret("storage"),
        }),
      }),
    }),
  };
}

/** Not every site issues certificates, and the code for it takes its time to load. */
const authorities = () => import("../ports/certificates/authority.ts");

async function dnsOf(
  { dns }: Omit<SiteSpec, "credentials">,
  { wall, fetch, authority }: SystemsOptions,
  secret: (part: "dns") => Promise<string>,
): Promise<Dns | undefined> {
  if (dns?.provider === "route53") {
    // Not everybody has their names there, and the SDK takes its time to load.
    const { route53 } = await import("../ports/dns/route53/route53.ts");
    return route53({ hostedZone: dns.hosted_zone, wall, timeout });
  }
  return (
    dns &&
    new PowerDns({
      url: dns.url,
      zone: dns.zone,
      key: () => secret("dns"),
      authority: authority ?? askAuthority(dns.servers),
      wall,
      timeout,
      ...(fetch && { fetch }),
    })
  );
}

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
