import type { DatabaseSync } from "node:sqlite";
import { minutes } from "../../core/clock.ts";
import type { HttpFetch } from "../../core/http.ts";
import { asHostId } from "../../core/id.ts";
import type { Fabric, HostLink, Layer3, OwnedNetwork } from "../../core/ports/fabric/fabric.ts";
import { type NeutronOptions, neutronFabric } from "../../core/ports/fabric/neutron/neutron.ts";
import { openDatabase } from "../../sim/database.ts";
import { fabricApi } from "../../sim/fabric/api.ts";
import { type FabricOptions, openFabric, type SimulatedFabric } from "../../sim/fabric/fabric.ts";
import type { FabricSettings } from "../../sim/fabric/state.ts";
import { Faults } from "../../sim/faults.ts";
import type { LedgerItem } from "../../sim/ledger.ts";
import { seeded } from "./random.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** Where the simulated cloud answers. */
export const cloud = "http://cloud.test";

export interface Asked {
  method: string;
  path: string;
  body: unknown;
}

/** What a create of `links` leaves behind, by kind. */
export const ownedAfterCreate = {
  network: 1,
  vlan: 1,
  subnet: 1,
  prefix: 1,
  router: 1,
  router_interface: 1,
  router_address: 1,
  way_out: 1,
  // Three of hosts, two that hold addresses, the router's outside and the DHCP agent's.
  port: 7,
  port_binding: 3,
  floating_ip: 2,
  address: 2,
};

/** A simulated cloud in virtual time, the adapter on it, and everything that was asked of it. */
export class TestFabric {
  readonly clock: VirtualClock;
  readonly database: DatabaseSync;
  readonly faults: Faults;
  readonly sim: SimulatedFabric;
  readonly fabric: Fabric;
  readonly asked: Asked[] = [];
  /** Comes between a request and the cloud. */
  intercept: (asked: Asked, answer: () => Promise<Response>) => Promise<Response> = (_, answer) =>
    answer();

  readonly ownedAfterCreate = ownedAfterCreate;
  /** All but the ports that the fabric makes for itself, and those that are one with others. */
  readonly markedAfterCreate = 10;
  readonly atFirst = {
    layer3: { state: "pending", message: "the gateway is DOWN" },
    floatingIp: "pending",
  } as const;
  readonly makesNetwork = "POST /v2.0/networks";

  constructor(
    settings: Partial<FabricSettings> = {},
    {
      database = openDatabase(":memory:"),
      clock = new VirtualClock(),
      cables = usualCables,
      ...options
    }: Partial<FabricOptions & NeutronOptions> & { clock?: VirtualClock } = {},
  ) {
    this.clock = clock;
    this.database = database;
    this.faults = new Faults(database);
    this.sim = openFabric({
      database,
      clock,
      wall: clock,
      random: seeded(1),
      faults: this.faults,
      cables,
      settings,
    });
    const { keystone, physicalNetwork, externalNetwork } = this.sim;
    this.fabric = neutronFabric({
      authUrl: cloud,
      credential: async () => keystone.credential,
      physicalNetwork,
      externalNetwork,
      wall: clock,
      fetch: this.fetch,
      ...options,
    });
  }

  readonly fetch: HttpFetch = async (url, init) => {
    const { pathname, search } = new URL(url);
    const body: unknown = init.body === undefined ? undefined : JSON.parse(init.body);
    const asked = { method: init.method, path: decodeURIComponent(pathname + search), body };
    this.asked.push(asked);
    const answer = this.intercept(asked, () => fabricApi(this.sim)(new Request(url, init)));
    // As over a network: who gives up waiting gets no answer.
    const givenUp = new Promise<never>((_, reject) => {
      init.signal.addEventListener("abort", () => reject(init.signal.reason), { once: true });
    });
    return Promise.race([answer, givenUp]);
  };

  /** Asks the cloud itself, as an operator would. */
  async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const { keystone } = this.sim;
    const { token } = keystone.issue(keystone.credential);
    const response = await fabricApi(this.sim)(
      new Request(cloud + path, {
        method,
        headers: { "x-auth-token": token, ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    // What the test expects of it is asserted there.
    return { status: response.status, body: text ? JSON.parse(text) : undefined };
  }

  /** What a call gives, while time passes as far as it needs. */
  run<T>(call: Promise<T>): Promise<T> {
    return this.clock.until(call);
  }

  async settled(): Promise<void> {
    await this.clock.advance(minutes(2));
  }

  ledger(): LedgerItem[] {
    return this.sim.ledger();
  }

  addressBehind(address: string): string | undefined {
    return this.sim.addressBehind(address);
  }

  vlanOf(switchName: string, port: string): number | undefined {
    return this.sim.vlanOf(switchName, port);
  }

  nameOf({ name }: OwnedNetwork): string {
    return `slipway-${name}`;
  }

  /** Owned things in the ledger, counted by kind. */
  owned(id: string = order.id): Record<string, number> {
    const items = this.sim.ledger().filter(({ owner }) => owner?.id === id);
    const kinds = Map.groupBy(items, ({ kind }) => kind);
    return Object.fromEntries(Array.from(kinds, ([kind, all]) => [kind, all.length]));
  }

  /** Everything that a create asks of the fabric, in its order. */
  async createAll(of: OwnedNetwork = order): Promise<void> {
    const { fabric } = this;
    await this.run(fabric.ensureLayer2(of, 120));
    await this.run(fabric.ensureLayer3(of, layer3));
    await this.run(fabric.ensureAttachments(of, links));
    await this.run(fabric.ensureFloatingIp(of, { use: "api", internal: "10.0.3.2" }));
    await this.run(fabric.ensureFloatingIp(of, { use: "ingress", internal: "10.0.3.3" }));
  }

  async removeAll(of: OwnedNetwork = order): Promise<void> {
    await this.run(this.fabric.removeFloatingIps(of));
    await this.run(this.fabric.removeAttachments(of));
    await this.run(this.fabric.removeLayer3(of));
    await this.run(this.fabric.removeLayer2(of));
  }
}

export const order: OwnedNetwork = {
  kind: "cluster",
  id: "0197b2d0-1111-7000-8000-000000000001",
  tenant: "tenant-a",
  name: "abcdefghij",
  uses: ["api", "ingress"],
};

export const otherOrder: OwnedNetwork = {
  kind: "cluster",
  id: "0197b2d0-1111-7000-8000-000000000002",
  tenant: "tenant-b",
  name: "klmnopqrst",
  uses: ["api", "ingress"],
};

export const layer3: Layer3 = {
  hasDhcp: true,
  prefix: "10.0.3.0/26",
  gateway: "10.0.3.1",
  range: { first: "10.0.3.10", last: "10.0.3.62" },
  dnsServers: ["192.0.2.53"],
};

export const links: HostLink[] = [
  { host: asHostId("host-1"), mac: "52:54:00:00:01:01", switch: "leaf-a1", port: "Ethernet1/1" },
  { host: asHostId("host-2"), mac: "52:54:00:00:02:01", switch: "leaf-a2", port: "Ethernet1/2" },
  { host: asHostId("host-2"), mac: "52:54:00:00:02:02", switch: "leaf-a1", port: "Ethernet1/2" },
];

/** The links of the inventory are true here. */
const linked = links.map(({ mac, switch: name, port }) => ({ mac, switch: name, port }));
const usualCables = () => linked;
