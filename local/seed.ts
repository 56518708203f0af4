import { fileURLToPath } from "node:url";
import type { SiteNetwork } from "../core/at-site/site.ts";
import type { Secrets } from "../core/ports/secrets/secrets.ts";
import { secretReference } from "../core/ports/secrets/secrets.ts";
import type { HubSpec } from "../core/resources/hub/model.ts";
import { grantableRoles } from "../core/resources/role/kind.ts";
import type { KeyPair } from "../sim/kubernetes/certificates.ts";
import { files } from "../sim/net-boot/files.ts";
import { seedHostTypes, seedPool, seedZone } from "../sim/seed.ts";
import type { World } from "../sim/world.ts";
import { readTemplate, templateFolders } from "../templates/folder.ts";
import { publishTemplate } from "../templates/publish.ts";

/** Creates what a provider has before its first order, through the API. */

export const tenants = ["tenant-a", "tenant-b"];

interface Api {
  request(
    path: string,
    init: RequestInit,
    env: { claims: Record<string, unknown> },
  ): Response | Promise<Response>;
}

const admin = { claims: { sub: "setup", roles: ["provider-admin"] } };

/** A site, as its provider registers it. */
interface SiteSeed {
  id: string;
  world: World;
  /** The addresses of the site's systems. */
  urls: World["site"]["urls"];
  zone: string;
  /** The addresses of the zone's name servers; any, if nobody queries them over the network. */
  nameServers?: string[] | undefined;
  /** Whether the site's DHCP server, and not its fabric, assigns addresses to hosts. */
  dhcp?: boolean | undefined;
  /** Where its machines reach Slipway's site controller; any address where they reach it in process. */
  machines?: string | undefined;
  /** Signs the certificates of ingress; without it clusters keep their self-signed ones. */
  authority?: KeyPair | undefined;
  /** Differences from the default pools of the site. */
  network?: Partial<SiteNetwork> | undefined;
  /** Differences from the default settings of its hubs. */
  hubs?: Pick<HubSpec, "capacity" | "hot_pools"> | undefined;
}

/** Creates missing objects only, so that it can finish an interrupted seeding. */
export async function seedCatalog({
  app,
  secrets,
  world,
  urls = world.site.urls,
  nameServers,
  authority,
  network,
  dhcp,
  machines,
}: Partial<Pick<SiteSeed, "urls" | "nameServers" | "authority" | "network" | "dhcp" | "machines">> &
  Pick<SiteSeed, "world"> & { app: Api; secrets: Secrets }): Promise<void> {
  await seedOffers(app, secrets, world);
  const zone = seedZone;
  const id = "site-1";
  await seedSite(app, { id, world, urls, zone, nameServers, authority, network, dhcp, machines });
}

/**
 * The network classes for tenants, made by the site's fabric, and by DPUs where hosts have them; and a pool of outside
 * addresses.
 */
export async function seedNetworks(app: Api, world: World): Promise<void> {
  if (world.dpus.list().length > 0)
    await add(app, "network_classes", "overlay", {
      metadata: { name: "overlay" },
      title: "Networks that DPUs make",
      implementation_strategy: "overlay",
      spec: { vni_range: { first: 5000, last: 5999 } },
    });
  await add(app, "network_classes", "isolated", {
    metadata: { name: "isolated" },
    title: "Isolated networks",
    implementation_strategy: "fabric",
    is_default: true,
    // The prefixes for clusters that order no network.
    spec: { site: "site-1", reserved: ["10.64.0.0/12"] },
  });
  await add(app, "external_ip_pools", "outside", {
    metadata: { name: "outside" },
    spec: { ip_family: "IP_FAMILY_IPV4", cidrs: ["203.0.113.80/28"], site: "site-1" },
  });
}

/** The provider's offers of whole servers. */
export async function seedServers(app: Api): Promise<void> {
  await add(app, "bare_metal_instance_types", "bm-standard", {
    metadata: { name: "bm-standard" },
    spec: {
      description: "2 × 16 cores, 128 GB",
      hardware: { cpu: { cores: 32, threads_per_core: 2 }, memory: { total_gb: 128 } },
    },
  });
  await add(app, "baremetal_instance_templates", "rhel-server", {
    metadata: { name: "rhel-server" },
    title: "A server with RHEL",
    host_type: "bm-standard",
    spec_defaults: { image: { source_type: "registry", source_ref: "quay.io/images/rhel:9.6" } },
  });
  await add(app, "baremetal_instance_catalog_items", "rhel-server", {
    metadata: { name: "rhel-server" },
    title: "A server with RHEL",
    template: "rhel-server",
    published: true,
  });
}

/** What a provider has for all its sites. */
export async function seedOffers(app: Api, secrets: Secrets, world?: World): Promise<void> {
  if ((await secrets.get(secretReference.providerPullSecret)) === undefined) {
    await secrets.put(secretReference.providerPullSecret, JSON.stringify({ auths: {} }));
  }
  for (const role of grantableRoles) await add(app, "roles", role, { metadata: { name: role } });
  for (const type of seedHostTypes) {
    const { hardware, ...more } = hostTypes[type] ?? {};
    const whole = { ...hardware, ...dpusOf(world, type) };
    const has = Object.keys(whole).length > 0 && { hardware: whole };
    await add(app, "host_types", type, { metadata: { name: type }, ...more, ...has });
  }
  for (const { version, is_default } of versions) {
    const id = version.replaceAll(".", "-");
    const image = `quay.io/openshift-release-dev/ocp-release:${version}-multi`;
    await add(app, "cluster_versions", id, {
      metadata: { name: id },
      spec: { version, image, enabled: true, is_default, state: "CLUSTER_VERSION_STATE_ACTIVE" },
    });
  }
  for (const folder of templateFolders(templates)) {
    const { template, problems } = readTemplate(folder);
    if (!template) throw new Error(`seeding ${folder}: ${problems[0]?.message}`);
    await publishTemplate((path, init) => app.request(path, init, admin), template);
  }
}

/** The number of DPUs in hosts of a type. */
function dpusOf(world: World | undefined, type: string) {
  const host = world?.hosts().find(({ host_type }) => host_type === type)?.name;
  const dpus = world?.dpus.list().filter((each) => each.host === host).length ?? 0;
  return dpus > 0 && { dpus };
}

/** Registers a site with its hubs and hosts. */
export async function seedSite(app: Api, site: SiteSeed): Promise<void> {
  const { id: siteId, world, zone } = site;
  await add(app, "sites", siteId, siteBody(site));
  for (const hub of world.hubs()) {
    await add(app, "hubs", hub.id, {
      metadata: { name: hub.id },
      spec: {
        kubeconfig: hub.kubeconfig,
        cluster_uid: hub.clusterUid,
        region: hub.region,
        capacity: 20,
        site: siteId,
        base_domain: `${hub.region}.${zone}`,
        ...site.hubs,
      },
    });
  }
  for (const { id, name, hub, host_type, bmc, nics, server } of world.hosts()) {
    const controller = { ...bmc, ...(server && world.bmcs.credential) };
    const dpus = world.dpus.list().filter(({ host }) => host === name);
    const count = dpus.length > 0 && { dpus: dpus.length };
    const spec = { host_type, hub, bmc: controller, nics, ...count };
    await add(app, "hosts", id, { metadata: { name }, spec });
    for (const { id: dpu, name, serial, bmc, ports } of dpus)
      await add(app, "dpus", dpu, {
        metadata: { name },
        spec: {
          ...{ host: id, serial, bmc: { ...bmc, ...world.bmcs.credential } },
          ports: ports.map(({ name, mac }) => ({ name, host_mac: mac })),
        },
      });
  }
}

async function add(app: Api, collection: string, id: string, body: object): Promise<void> {
  const path = `/api/private/v1/${collection}`;
  if ((await app.request(`${path}/${id}`, {}, admin)).status === 200) return;
  const response = await app.request(
    path,
    { method: "POST", body: JSON.stringify({ id, ...body }) },
    admin,
  );
  if (response.status !== 200)
    throw new Error(`seeding ${collection}/${id}: ${await response.text()}`);
}

function siteBody(site: SiteSeed) {
  const { id, world, urls, zone, nameServers, authority, network, dhcp } = site;
  const { fabric, dhcp: kea, dns, storage } = world.site;
  const { id: credential_id, secret } = fabric.keystone.credential;
  return {
    metadata: { name: id },
    spec: {
      fabric: {
        provider: "neutron",
        auth_url: urls.fabric,
        credential_id,
        physical_network: fabric.physicalNetwork,
        external_network: fabric.externalNetwork,
      },
      network: {
        vlans: { first: 100, last: 3999 },
        prefixes: { cidr: "10.64.0.0/12", length: 24 },
        // The fabric allocates the outside addresses below these to its routers by itself.
        floating_ips: { first: "203.0.113.100", last: "203.0.113.250" },
        dns_servers: ["192.0.2.53"],
        rest_minutes: 10,
        ...network,
      },
      ...(dhcp && { dhcp: { provider: "kea", url: urls.dhcp, username: kea.username } }),
      dns: { provider: "powerdns", url: urls.dns, zone, servers: nameServers ?? ["192.0.2.53"] },
      storage: {
        provider: "ceph",
        url: urls.storage,
        pool: seedPool,
        username: storage.username,
      },
      machines: {
        ...{ url: site.machines ?? "http://machines.sim", ...files },
        admin_network: { cidr: "10.240.0.0/16", gateway: "10.240.0.1" },
        management_network: { cidr: "10.250.0.0/16" },
        loopbacks: { first: "10.251.0.1", last: "10.251.255.254" },
        asns: { first: 4_200_000_000, last: 4_200_065_534 },
      },
      ...(authority && { certificates: { authority: authority.certificate } }),
      secrets: {
        fabric: secret,
        ...(dhcp && { dhcp: kea.password }),
        dns: dns.key,
        storage: storage.password,
        ...(authority && { certificates: authority.key }),
      },
    },
  };
}

const hostTypes: Record<string, { hardware?: object } & Record<string, unknown>> = {
  fc430: {
    title: "Standard server",
    description: "2 × 16 cores, 128 GiB",
    hardware: { cpus: 64, memory_gib: 128 },
  },
  h100: { title: "GPU server", description: "8 × H100, 2 TiB" },
};

const versions = [
  { version: "4.17.3", is_default: true },
  { version: "4.18.1", is_default: false },
];

const templates = fileURLToPath(new URL("../templates/", import.meta.url));
