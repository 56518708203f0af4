import { floatingIpUses } from "../../core/at-site/at-site.ts";
import { asHostId } from "../../core/id.ts";
import type { Dns, OwnedDomain } from "../../core/ports/dns/dns.ts";
import { PowerDns } from "../../core/ports/dns/powerdns/powerdns.ts";
import type { Fabric, HostLink, Layer3, OwnedNetwork } from "../../core/ports/fabric/fabric.ts";
import { neutronFabric } from "../../core/ports/fabric/neutron/neutron.ts";
import { controlPlaneObjects } from "../../core/ports/hub/clusters/hypershift/objects.ts";
import type { AddressPool } from "../../core/ports/kubernetes/metallb.ts";
import type { Owner } from "../../core/ports/owner.ts";
import { Ceph } from "../../core/ports/storage/ceph/ceph.ts";
import type { Storage } from "../../core/ports/storage/storage.ts";
import { clusterRecords, recordNames } from "../../core/resources/cluster/dns-names.ts";
import type { KubeCluster } from "../../sim/kubernetes/cluster.ts";
import { seedPool, seedZone } from "../../sim/seed.ts";
import type { World } from "../../sim/world.ts";
import type { Order } from "./deployment.ts";
import {
  agents,
  applyControlPlane,
  applyNodePools,
  orderOf,
  reserveAgents,
  type TestWorld,
} from "./sim-world.ts";

/** The provider's adapters on the site of a world, in process. */
export function providerOf({ world, clock }: Pick<TestWorld, "world" | "clock">) {
  const { fabric: cloud, dns: names, storage: ceph, urls, askAuthority } = world.site;
  const http = { wall: clock, timeout: 20_000, fetch: world.fetch };
  const fabric: Fabric = neutronFabric({
    ...http,
    authUrl: urls.fabric,
    credential: async () => cloud.keystone.credential,
    physicalNetwork: cloud.physicalNetwork,
    externalNetwork: cloud.externalNetwork,
  });
  const dns: Dns = new PowerDns({
    ...http,
    url: urls.dns,
    key: async () => names.key,
    zone: seedZone,
    authority: askAuthority,
  });
  const storage: Storage = new Ceph({
    ...http,
    url: urls.storage,
    credential: async () => ({ username: ceph.username, password: ceph.password }),
    pool: seedPool,
  });
  return { fabric, dns, storage };
}

/** The order's network: what DHCP gives, and the addresses of api and ingress beside it. */
export const plan = {
  vlan: 120,
  layer3: {
    hasDhcp: true,
    prefix: "10.0.3.0/26",
    gateway: "10.0.3.1",
    range: { first: "10.0.3.10", last: "10.0.3.62" },
    dnsServers: ["192.0.2.53"],
  } satisfies Layer3,
  api: "10.0.3.2",
  ingress: "10.0.3.3",
};

export const domain = "demo.tenant-a.example.com";

/** An order with a name, and what the provider does for it; each resolves when it is told, not done. */
export class NamedOrder {
  readonly deployment: Order;
  readonly #of: TestWorld;
  readonly #provider: ReturnType<typeof providerOf>;

  constructor(of: TestWorld, deployment = orderOf(of.cluster)) {
    this.#of = of;
    this.deployment = { ...deployment, api: { address: plan.api, hostname: `api.${domain}` } };
    this.#provider = providerOf(of);
  }

  get owner(): Owner {
    const { kind, id, tenant, name } = this.deployment;
    return { kind, id, tenant, name };
  }

  get fabricNetwork(): OwnedNetwork {
    return { ...this.owner, uses: floatingIpUses };
  }

  get dnsOwner(): OwnedDomain {
    return { ...this.owner, domain, recordNames: recordNames(domain) };
  }

  async network(): Promise<void> {
    await this.#run(({ fabric }) => fabric.ensureLayer2(this.fabricNetwork, plan.vlan));
    await this.#run(({ fabric }) => fabric.ensureLayer3(this.fabricNetwork, plan.layer3));
  }

  /** The first NIC of each host, or only of one. */
  async attach(host?: string): Promise<void> {
    const links = this.links.filter((link) => host === undefined || link.host === host);
    await this.#run(({ fabric }) => fabric.ensureAttachments(this.fabricNetwork, links));
  }

  async detach(): Promise<void> {
    await this.#run(({ fabric }) => fabric.removeAttachments(this.fabricNetwork));
  }

  /** Answers the address outside. */
  async floatingIp(use: "api" | "ingress"): Promise<string> {
    const { address } = await this.#run(({ fabric }) =>
      fabric.ensureFloatingIp(this.fabricNetwork, { use, internal: plan[use] }),
    );
    return address;
  }

  async names(addresses: { api?: string; apiInternal?: string; ingress?: string }): Promise<void> {
    const listed = (address?: string) => (address === undefined ? [] : [address]);
    const records = clusterRecords(domain, {
      api: listed(addresses.api),
      apiInternal: listed(addresses.apiInternal),
      ingress: listed(addresses.ingress),
    });
    await this.#run(({ dns }) => dns.ensure(this.dnsOwner, records));
  }

  async storage(): Promise<void> {
    await this.#run(({ storage }) => storage.ensure(this.owner));
  }

  async giveBack(): Promise<void> {
    await this.#run(({ storage }) => storage.remove(this.owner));
    await this.#run(({ dns }) => dns.remove(this.dnsOwner));
    await this.#run(({ fabric }) => fabric.removeFloatingIps(this.fabricNetwork));
    await this.detach();
    await this.#run(({ fabric }) => fabric.removeLayer3(this.fabricNetwork));
    await this.#run(({ fabric }) => fabric.removeLayer2(this.fabricNetwork));
  }

  /** Everything on the hub. */
  apply(): void {
    const { cluster } = this.#of;
    applyControlPlane(cluster, this.deployment);
    reserveAgents(cluster, this.deployment);
    applyNodePools(cluster, this.deployment);
  }

  /** How the hosts of the order are cabled. */
  get links(): HostLink[] {
    const wanted = new Set(this.deployment.nodeSets.flatMap(({ agents: names }) => names));
    return this.#of.world
      .hosts()
      .filter(({ id }) => wanted.has(id))
      .flatMap(({ id, nics: [nic] }) =>
        nic ? [{ host: asHostId(id), mac: nic.mac, switch: nic.switch, port: nic.port }] : [],
      );
  }

  #run<T>(call: (provider: ReturnType<typeof providerOf>) => Promise<T>): Promise<T> {
    return this.#of.clock.until(call(this.#provider));
  }
}

/** The pool of the API server's address, and of nothing else. */
export function addressPool(order: Order): AddressPool {
  const pool = controlPlaneObjects(order).find(({ kind }) => kind === "IPAddressPool");
  if (pool?.kind !== "IPAddressPool") throw new Error("the order has no pool");
  return pool;
}

/** What an agent is known to have on its NICs. */
export function addressesOf(cluster: KubeCluster, name: string): string[][] {
  const agent = agents(cluster).find(({ metadata }) => metadata.name === name);
  return agent?.status?.inventory?.interfaces.map((nic) => nic.ipV4Addresses) ?? [];
}

/** Changes an object of the fabric behind everybody's back. */
export async function askFabric(world: World, method: string, path: string, body: object) {
  const { site } = world;
  const { id, secret } = site.fabric.keystone.credential;
  const identity = { methods: ["application_credential"], application_credential: { id, secret } };
  const issued = await world.fetch(`${site.urls.fabric}/v3/auth/tokens`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ auth: { identity } }),
  });
  const token = issued.headers.get("x-subject-token") ?? "";
  const headers = { "x-auth-token": token };
  const init = { method, headers, body: JSON.stringify(body) };
  return world.fetch(site.urls.fabric + path, init);
}
