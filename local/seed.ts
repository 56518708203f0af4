import { fileURLToPath } from "node:url";
import type { Secrets } from "../core/ports/secrets/secrets.ts";
import { secretReference } from "../core/ports/secrets/secrets.ts";
import { grantableRoles } from "../core/resources/role/kind.ts";
import type { SiteNetwork } from "../core/resources/site/model.ts";
import type { KeyPair } from "../sim/kubernetes/certificates.ts";
import { seedHostTypes, seedPool, seedZone } from "../sim/seed.ts";
import type { World } from "../sim/world.ts";
import { readTemplate, templateFolders } from "../templates/folder.ts";
import { publish } from "../templates/publish.ts";

/** Sets up what a provider has before its first order: through the API, as a provider would. */

export const tenants = ["tenant-a", "tenant-b"];

interface Api {
  request(
    path: string,
    init: RequestInit,
    env: { claims: Record<string, unknown> },
  ): Response | Promise<Response>;
}

const admin = { claims: { sub: "setup", roles: ["provider-admin"] } };

/** Adds missing objects, so that a seeding that was cut short is finished. */
export async function seedCatalog({
  app,
  secrets,
  world,
  urls = world.site.urls,
  authority,
  network,
}: {
  app: Api;
  secrets: Secrets;
  world: World;
  /** The addresses of the site's systems. */
  urls?: World["site"]["urls"];
  /** Signs certificates of ingress; without it clusters keep their own. */
  authority?: KeyPair;
  /** Changes of the site's usual pools. */
  network?: Partial<SiteNetwork>;
}): Promise<void> {
  if ((await secrets.get(secretReference.providerPullSecret)) === undefined) {
    await secrets.put(secretReference.providerPullSecret, JSON.stringify({ auths: {} }));
  }
  const add = async (collection: string, id: string, body: object): Promise<void> => {
    const path = `/api/private/v1/${collection}`;
    if ((await app.request(`${path}/${id}`, {}, admin)).status === 200) return;
    const response = await app.request(
      path,
      { method: "POST", body: JSON.stringify({ id, ...body }) },
      admin,
    );
    if (response.status !== 200)
      throw new Error(`seeding ${collection}/${id}: ${await response.text()}`);
  };

  for (const role of grantableRoles) await add("roles", role, { metadata: { name: role } });
  for (const type of seedHostTypes) {
    await add("host_types", type, { metadata: { name: type }, ...hostTypes[type] });
  }
  for (const { version, is_default } of versions) {
    const id = version.replaceAll(".", "-");
    const image = `quay.io/openshift-release-dev/ocp-release:${version}-multi`;
    await add("cluster_versions", id, {
      metadata: { name: id },
      spec: { version, image, enabled: true, is_default, state: "CLUSTER_VERSION_STATE_ACTIVE" },
    });
  }
  for (const folder of templateFolders(templates)) {
    const { template, problems } = readTemplate(folder);
    if (!template) throw new Error(`seeding ${folder}: ${problems[0]?.message}`);
    await publish((path, init) => app.request(path, init, admin), template);
  }
  await add("sites", siteId, siteBody(world, urls, { authority, network }));
  for (const hub of world.hubs()) {
    await add("hubs", hub.id, {
      metadata: { name: hub.id },
      spec: {
        kubeconfig: hub.kubeconfig,
        cluster_uid: hub.clusterUid,
        region: hub.region,
        capacity: 20,
        site: siteId,
        base_domain: `${hub.region}.example.com`,
      },
    });
  }
  for (const { id, name, hub, host_type, bmc, nics } of world.hosts()) {
    await add("hosts", id, { metadata: { name }, spec: { host_type, hub, bmc, nics } });
  }
}

const siteId = "site-1";

function siteBody(
  { site: { fabric, dns, storage } }: World,
  urls: World["site"]["urls"],
  more: { authority: KeyPair | undefined; network: Partial<SiteNetwork> | undefined },
) {
  const { authority, network } = more;
  const { id: credential_id, secret } = fabric.keystone.credential;
  return {
    metadata: { name: siteId },
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
        // The fabric gives the outside addresses below these to its routers by itself.
        floating_ips: { first: "203.0.113.100", last: "203.0.113.250" },
        dns_servers: ["192.0.2.53"],
        rest_minutes: 10,
        ...network,
      },
      dns: { provider: "powerdns", url: urls.dns, zone: seedZone, servers: ["192.0.2.53"] },
      storage: {
        provider: "ceph",
        url: urls.storage,
        pool: seedPool,
        username: storage.username,
      },
      ...(authority && { certificates: { authority: authority.certificate } }),
      secrets: {
        fabric: secret,
        dns: dns.key,
        storage: storage.password,
        ...(authority && { certificates: authority.key }),
      },
    },
  };
}

const hostTypes: Record<string, object> = {
  fc430: { title: "Standard server", description: "2 × 16 cores, 128 GiB" },
  h100: { title: "GPU server", description: "8 × H100, 2 TiB" },
};

const versions = [
  { version: "4.17.3", is_default: true },
  { version: "4.18.1", is_default: false },
];

const templates = fileURLToPath(new URL("../templates/", import.meta.url));
