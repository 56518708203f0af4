import type { Clock } from "../clock.ts";
import { AppError } from "../error.ts";
import type { HttpFetch } from "../http.ts";
import type { BareMetalService } from "../ports/bare-metal/service.ts";
import type { Dhcp } from "../ports/dhcp/dhcp.ts";
import { Kea } from "../ports/dhcp/kea/kea.ts";
import type { Dns } from "../ports/dns/dns.ts";
import { type AskAuthority, askAuthority } from "../ports/dns/powerdns/authority.ts";
import { PowerDns } from "../ports/dns/powerdns/powerdns.ts";
import type { Fabric } from "../ports/fabric/fabric.ts";
import { neutronApi, neutronFabric } from "../ports/fabric/neutron/neutron.ts";
import type { Inventory } from "../ports/inventory/inventory.ts";
import type { NumberPool } from "../ports/ipam/ipam.ts";
import type { NetboxParent } from "../ports/ipam/netbox/object-type.ts";
import type { Networks } from "../ports/network/network.ts";
import { neutronNetworks } from "../ports/network/neutron/networks.ts";
import { Ceph } from "../ports/storage/ceph/ceph.ts";
import type { Storage } from "../ports/storage/storage.ts";
import type { Allocator } from "./pools.ts";
import type { IronicSpec, NetboxAllocator } from "./providers.ts";
import { type PoolUse, poolUses, type SiteNetwork, type SiteSpec } from "./site.ts";

/** The adapters of each port for a site's systems, by the provider in the site's record. */

export interface SystemsOptions {
  /** The clock that times calls. */
  wall: Clock;
  /** Replaces the HTTP client. */
  fetch?: HttpFetch;
  /** Replaces DNS queries over the network. */
  authority?: AskAuthority;
}

export interface AdapterOptions extends SystemsOptions {
  /** Reads the secret of a system. */
  secret(): Promise<string>;
}

/**
 * A requirement in words, and its test. The test answers the missing features, and throws when the system does
 * not answer.
 */
export type Trial = [what: string, hold: () => Promise<string[] | undefined>];

interface Adapter<Spec, System> {
  /** Creates the adapter, without any call to the system. */
  open(spec: Spec, options: AdapterOptions): System | Promise<System>;
  /** The part of the system that the site uses, in words. */
  part(spec: Spec): string;
  /** Requirements that a check of the site tests in addition to its calls of the port. */
  trials?(spec: Spec, options: SystemsOptions): Trial[];
}

type Adapters<Spec extends { provider: string }, System> = {
  [P in Spec["provider"]]: Adapter<Extract<Spec, { provider: P }>, System>;
};

type SpecOf<
  Port extends "fabric" | "dhcp" | "dns" | "storage" | "allocator" | "inventory" | "bare_metal",
> = NonNullable<SiteSpec[Port]>;

/** The limit of one call, in milliseconds; the fabric has its own, since it configures switches. */
const timeout = 10_000;

/** Ironic asks controllers during a call, and many are slow. */
const bareMetalTimeout = 20_000;

const httpOf = ({ wall, fetch }: SystemsOptions) => ({ wall, ...(fetch && { fetch }) });

const neutronOf = (spec: SpecOf<"fabric">, options: AdapterOptions) => ({
  ...httpOf(options),
  authUrl: spec.auth_url,
  credential: async () => ({ id: spec.credential_id, secret: await options.secret() }),
  ...(spec.region !== undefined && { region: spec.region }),
});

/** A fabric, and the tenants' networks on it; both share one session. */
export const fabrics: Adapters<SpecOf<"fabric">, { fabric: Fabric; networks: Networks }> = {
  neutron: {
    open(spec, options) {
      const neutron = {
        ...neutronOf(spec, options),
        physicalNetwork: spec.physical_network,
        externalNetwork: spec.external_network,
      };
      const api = neutronApi(neutron);
      return {
        fabric: neutronFabric(neutron, api),
        networks: neutronNetworks(api, neutron.externalNetwork),
      };
    },
    part: ({ external_network }) => `the network ${external_network}`,
  },
};

export const dhcpServers: Adapters<SpecOf<"dhcp">, Dhcp> = {
  kea: {
    open: (spec, options) =>
      new Kea({
        ...httpOf(options),
        timeout,
        url: spec.url.replace(/\/+$/, ""),
        credential: async () => ({ username: spec.username, password: await options.secret() }),
      }),
    part: () => "the hook libraries for subnets, hosts and leases",
  },
};

export const bareMetalServices: Adapters<SpecOf<"bare_metal">, BareMetalService> = {
  ironic: {
    async open(spec, options) {
      // Loaded on first use: most sites have no Ironic.
      const [{ ironicService }, access] = await Promise.all([
        import("../ports/bare-metal/ironic/service.ts"),
        import("../ports/bare-metal/ironic/access.ts"),
      ]);
      const http = { ...httpOf(options), timeout: bareMetalTimeout };
      const { auth_url: authUrl, url = "", username = "", region, credential_id: id = "" } = spec;
      if (authUrl === undefined) {
        const credential = async () => ({ username, password: await options.secret() });
        return ironicService({
          ...http,
          ...access.standalone(url.replace(/\/+$/, ""), credential),
        });
      }
      const { Keystone } = await import("../ports/openstack/keystone.ts");
      const keystone = new Keystone({
        ...http,
        system: "the bare metal service",
        service: "baremetal",
        url: authUrl.replace(/\/+$/, "").replace(/\/v3$/, ""),
        credential: async () => ({ id, secret: await options.secret() }),
        ...(region !== undefined && { region }),
      });
      return ironicService({ ...http, ...access.byKeystone(keystone) });
    },
    part: (spec) => `the nodes of ${ironicUrl(spec)}`,
  },
};

const ironicUrl = ({ url, auth_url }: IronicSpec): string => url ?? `the cloud at ${auth_url}`;

export const dnsServices: Adapters<SpecOf<"dns">, Dns> = {
  powerdns: {
    open: (spec, options) =>
      new PowerDns({
        ...httpOf(options),
        url: spec.url,
        zone: spec.zone,
        key: options.secret,
        authority: options.authority ?? askAuthority(spec.servers),
        timeout,
      }),
    part: ({ zone }) => `the zone ${zone}`,
    /** Asks the zone's servers whether a record is published, as the adapter does. */
    trials: ({ servers, zone }, { authority = askAuthority(servers) }) => [
      [
        `dns: ${servers.join(", ")} answer for ${zone}`,
        async () => {
          try {
            await authority(zone, "A");
            return undefined;
          } catch (error) {
            const message = `the zone's servers do not answer: ${error instanceof Error ? error.message : error}`;
            throw new AppError("Unavailable", message);
          }
        },
      ],
    ],
  },
  route53: {
    async open(spec, { wall }) {
      // Loaded on first use: not every site uses Route 53, and the SDK takes long to load.
      const { route53 } = await import("../ports/dns/route53/route53.ts");
      return route53({ hostedZone: spec.hosted_zone, wall, timeout });
    },
    part: ({ zone }) => `the zone ${zone}`,
  },
};

export const storages: Adapters<SpecOf<"storage">, Storage> = {
  ceph: {
    open: (spec, options) =>
      new Ceph({
        ...httpOf(options),
        timeout,
        url: spec.url,
        pool: spec.pool,
        credential: async () => ({ username: spec.username, password: await options.secret() }),
      }),
    part: ({ pool }) => `the pool ${pool}`,
  },
};

const netboxOf = async ({ url }: { url: string }, options: AdapterOptions) => {
  // Loaded on first use: most sites have no NetBox.
  const { NetboxApi } = await import("../ports/netbox/api.ts");
  const http = { ...httpOf(options), url: url.replace(/\/+$/, ""), timeout };
  return new NetboxApi({ ...http, token: options.secret });
};

export const allocators: Adapters<SpecOf<"allocator">, Allocator> = {
  netbox: {
    async open(spec, options) {
      const api = await netboxOf(spec, options);
      const { NetboxAllocates } = await import("../ports/ipam/netbox/allocates.ts");
      const { NetboxMirrors } = await import("../ports/ipam/netbox/mirrors.ts");
      const { missingInNetbox } = await import("../ports/ipam/netbox/prerequisites.ts");
      return {
        ipam: (deps, pools, network) => {
          const places = netboxPlaces(spec, network);
          const use = (pool: NumberPool) => poolUses.find((each) => pools[each].name === pool.name);
          const options = { api, placeOf: (pool: NumberPool) => places[use(pool) ?? "vlans"] };
          return spec.given_out_by === "netbox"
            ? new NetboxAllocates(deps, options)
            : new NetboxMirrors(deps, options);
        },
        lacks: (pools, network) => {
          const places = netboxPlaces(spec, network);
          return missingInNetbox(
            api,
            poolUses.map((use) => ({ pool: pools[use], place: places[use] })),
            spec.given_out_by,
          );
        },
      };
    },
    part: ({ url }) => url,
  },
};

const netboxPlaces = (
  { vlan_group, prefix, ip_range }: NetboxAllocator,
  { prefixes }: SiteNetwork,
): Record<PoolUse, NetboxParent> => ({
  vlans: { of: "vlans", group: vlan_group },
  prefixes: { of: "prefixes", parent: prefix, ...prefixes },
  floating_ips: { of: "addresses", range: ip_range },
});

export const inventories: Adapters<SpecOf<"inventory">, Inventory> = {
  netbox: {
    async open(spec, options) {
      const { NetboxInventory } = await import("../ports/inventory/netbox/netbox.ts");
      const { site, role, status, tag } = spec;
      const devices = { site, role, status, tag };
      return new NetboxInventory(await netboxOf(spec, options), { devices, wall: options.wall });
    },
    part: ({ url }) => url,
  },
};

/** The adapter of the system's provider. */
export function adapterOf<Spec extends { provider: string }, System>(
  adapters: Adapters<Spec, System>,
  { provider }: Spec,
): Adapter<Spec, System> {
  // The row of a provider accepts that provider's spec, which the compiler cannot infer.
  return adapters[provider as Spec["provider"]] as unknown as Adapter<Spec, System>;
}
