import { randomBytes } from "node:crypto";
import { seedZone } from "../../../sim/seed.ts";
import { asking } from "../../sim/dns/powerdns-wire.ts";
import { Dashboard } from "../ceph/dashboard.ts";
import { KeaServer } from "../kea/server.ts";
import { Cloud } from "../neutron/cloud.ts";

/** The real systems of one site, as those ask them who run them. */

interface RecordSet {
  name: string;
  type: string;
  records: { content: string }[];
}

export class RealSystems {
  readonly cloud: Cloud;
  readonly kea: KeaServer;
  readonly ceph: Dashboard;
  /** Where PowerDNS answers over DNS. */
  readonly nameServer: string;
  readonly #dns: ReturnType<typeof asking>;
  readonly #dnsApi: { url: string; key: string };
  /** Slipway's user of Ceph's dashboard, beside its administrator. */
  readonly #storageUser = { username: "orders", password: randomBytes(12).toString("hex") };

  constructor(
    systems: Pick<RealSystems, "cloud" | "kea" | "ceph" | "nameServer">,
    dnsApi: { url: string; key: string },
  ) {
    this.cloud = systems.cloud;
    this.kea = systems.kea;
    this.ceph = systems.ceph;
    this.nameServer = systems.nameServer;
    this.#dnsApi = dnsApi;
    this.#dns = asking(dnsApi.url, dnsApi.key, fetch);
  }

  /** Those that the scripts of test/live have started; undefined where one is not there. */
  static ofEnvironment(): RealSystems | undefined {
    const [cloud, kea, ceph] = [
      Cloud.ofEnvironment(),
      KeaServer.ofEnvironment(),
      Dashboard.ofEnvironment(),
    ];
    const { POWERDNS_URL: url, POWERDNS_KEY: key, POWERDNS_DNS: nameServer } = process.env;
    if (!cloud || !kea || !ceph || !url || !key || !nameServer) return undefined;
    return new RealSystems({ cloud, kea, ceph, nameServer }, { url, key });
  }

  /** What a site has before its first order. */
  async prepare(): Promise<void> {
    await this.#askDns("POST", "/zones", {
      name: `${seedZone}.`,
      kind: "Native",
      nameservers: [`ns1.${seedZone}.`],
    });
    await this.letStore(true);
    // Neutron's own addresses are below those of orders, as the documents have it.
    const outside = (await this.cloud.list("subnets")).find(
      ({ network_id }) => network_id === this.cloud.externalNetwork,
    );
    await this.cloud.side()({
      method: "PUT",
      path: `/v2.0/subnets/${outside?.id}`,
      body: { subnet: { allocation_pools: [{ start: "203.0.113.2", end: "203.0.113.99" }] } },
    });
  }

  /** Removes everything that tests have made. */
  async clear(): Promise<void> {
    await this.ceph.removeLogin(this.#storageUser.username);
    await Promise.all([this.cloud.clear(), this.kea.clear(), this.ceph.clear()]);
    await this.#askDns("DELETE", `/zones/${seedZone}.`);
  }

  /** Whether Slipway's user of Ceph may change anything. */
  letStore(may: boolean): Promise<void> {
    const { username, password } = this.#storageUser;
    return this.ceph.setRoles(username, password, [may ? "administrator" : "read-only"]);
  }

  async #askDns(method: string, path: string, body?: object): Promise<unknown> {
    const response = await this.#dns(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  async recordSets(): Promise<RecordSet[]> {
    // As PowerDNS answers it; what is otherwise throws where it is used.
    const { rrsets } = (await this.#askDns("GET", `/zones/${seedZone}.`)) as {
      rrsets: RecordSet[];
    };
    return rrsets.map(({ name, type, records }) => ({
      name,
      type,
      records: records.map(({ content }) => ({ content })),
    }));
  }

  async removeRecords(name: string, type: string): Promise<void> {
    const set = { name: `${name}.`, type, changetype: "REPLACE", records: [], ttl: 60 };
    await this.#askDns("PATCH", `/zones/${seedZone}.`, { rrsets: [set] });
  }

  /** All that each system lists. The number of a zone's change is not what it has. */
  async everything() {
    const collections = [
      "networks",
      "subnets",
      "ports",
      "routers",
      "floatingips",
      "security_groups",
    ];
    const listed = collections.map(
      async (collection) =>
        [collection, (await this.cloud.list(collection)).map(({ id }) => id).sort()] as const,
    );
    return {
      neutron: Object.fromEntries(await Promise.all(listed)),
      kea: await this.kea.everything(),
      powerdns: (await this.recordSets()).filter(({ type }) => type !== "SOA"),
      ceph: await this.ceph.everything(),
    };
  }

  /** Lines for site.sh, by which the documents' commands find these systems in place of the simulated ones. */
  siteSh(): string {
    const { cloud, kea, ceph } = this;
    const variables = {
      fabric_url: cloud.authUrl,
      fabric_credential: cloud.cloud.credentials.both.id,
      fabric_secret: cloud.cloud.credentials.both.secret,
      physical_network: cloud.physicalNetwork,
      external_network: cloud.externalNetwork,
      dhcp_url: kea.url,
      dhcp_username: kea.username,
      dhcp_password: kea.password,
      dns_url: this.#dnsApi.url,
      dns_key: this.#dnsApi.key,
      dns_zone: seedZone,
      dns_server: this.nameServer,
      storage_url: ceph.url,
      storage_pool: ceph.pool,
      storage_username: this.#storageUser.username,
      storage_password: this.#storageUser.password,
    };
    return Object.entries(variables)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join("");
  }
}
