import type { DatabaseSync } from "node:sqlite";
import { type Clock, systemClock } from "../core/clock.ts";
import { AppError } from "../core/error.ts";
import { agentNamespace } from "../core/ports/hub/reported-kinds.ts";
import { ApiServers, orAborted } from "./api-servers.ts";
import { SimulatedBmcs } from "./bmc/bmcs.ts";
import { usualHardware } from "./bmc/hardware.ts";
import { serverItems } from "./bmc/ledger.ts";
import { Dpus } from "./dpu/dpus.ts";
import { connects, getsAddress } from "./dpu/packets.ts";
import { durations } from "./durations.ts";
import { Faults } from "./faults.ts";
import { gpusIn, type Host, hostId, type NewHost, newHostSchema } from "./host.ts";
import { controllerOf, Hosts } from "./hosts.ts";
import { Hub } from "./hub.ts";
import { bareMetalHostClaims, hostItem, hubItems, Tenants } from "./hub-ledger.ts";
import { type HubOptions, type HubRecord, type NewHub, newHubSchema } from "./hub-options.ts";
import { SimulatedIronic } from "./ironic/ironic.ts";
import { isRamdisk } from "./ironic/provision.ts";
import type { FetchHandler } from "./kubernetes/api.ts";
import { makeAuthority, makeServerCertificate } from "./kubernetes/certificates.ts";
import type { LedgerItem } from "./ledger.ts";
import { BootNetwork } from "./net-boot/network.ts";
import { type Running, Servers } from "./servers.ts";
import { SimulatedSite } from "./site.ts";
import type { WorldOptions } from "./world-options.ts";

const notFound = (what: string) => new AppError("NotFound", `${what} not found`);
const exists = (what: string) => new AppError("AlreadyExists", `${what} already exists`);

/** Opens the world in the database; an empty database makes an empty world. */
export function openWorld(options: WorldOptions): World {
  return new World(options);
}

/**
 * The simulated world: hubs with their operators, machines, hosted clusters, and their site. Durable: every change is
 * stored before it is answered, and a world that is opened again has the same uids, ports, keys and tokens.
 */
export class World {
  readonly clock: Clock;
  readonly faults: Faults;
  /** The site of all hubs. */
  readonly site: SimulatedSite;
  /** The controllers of the servers. */
  readonly bmcs: SimulatedBmcs;
  /** A bare metal service for these controllers; it has the nodes that were created in it. */
  readonly ironic: SimulatedIronic;
  /** The service's URL for `fetch`. */
  readonly ironicUrl = "http://ironic.sim";
  /** What servers reach on their boot networks. */
  readonly network: BootNetwork;
  /** The DPUs in the servers. */
  readonly dpus: Dpus;
  readonly #hardware: Servers;
  readonly #database: DatabaseSync;
  readonly #servers: ApiServers;
  readonly #tenants: Tenants;
  readonly #hubOptions: HubOptions;
  readonly #hubs = new Map<string, Hub>();
  readonly #hosts: Hosts;
  #isRunning = false;

  constructor(options: WorldOptions) {
    const { database, clock, wall = systemClock, random = Math.random, sockets = false } = options;
    database.exec(
      "CREATE TABLE IF NOT EXISTS hubs (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT",
    );
    this.#hosts = new Hosts(database);
    this.clock = clock;
    this.faults = new Faults(database);
    this.#database = database;
    const { firstPort = sockets ? 0 : 20_001 } = options;
    this.#servers = new ApiServers({ database, random, sockets, firstPort });
    this.#tenants = new Tenants(database);
    const host = (id: string) => this.#hosts.get(id);
    const servers = this.#servers;
    const { resolves = () => true, startUp = 0 } = options;
    const { faults } = this;
    const cables = () => this.#hosts.nics();
    const settings = options.site ?? {};
    this.site = new SimulatedSite({ database, clock, wall, random, faults, cables, settings });
    const { effects = this.site } = options;
    const nameOf = (id: string) => this.#hosts.get(id)?.name ?? this.dpus?.get(id)?.name ?? id;
    this.bmcs = new SimulatedBmcs({ database, clock, wall, random, faults, nameOf });
    const { machines, erasureFault } = this.bmcs;
    this.ironic = new SimulatedIronic({
      ...{ database, machines, clock, wall, faults, erasureFault },
    });
    this.network = new BootNetwork({
      ...{ clock, wall, faults, site: effects },
      getsAddress: (mac) => getsAddress(this.dpus, mac),
    });
    this.#hardware = new Servers({
      database,
      clock,
      machines,
      imageOf: (url) => {
        const told = this.ironic.originalOf(url) ?? url;
        return this.hubs().find(({ image }) => image === told)?.id;
      },
      isRamdisk,
      ask: (request) => this.network.ask(request),
      hasAddress: (id) => this.network.hasAddress(this.host(nameOf(id))),
      isHeld: (id, what) => faults.heldAt(`bmc:${nameOf(id)}`).includes(what),
      bootsInstead: (id) => faults.takeBoot(nameOf(id)),
      register: (id, hub) => {
        const host = this.host(nameOf(id));
        const isConnected = host.nics.some(({ mac }) => connects(this.dpus, mac) !== false);
        return isConnected && this.hub(hub).register(host);
      },
      changed: (id) => this.#lookAt(this.host(nameOf(id))),
    });
    this.dpus = new Dpus({
      ...{ database, clock, machines },
      ask: (request) => this.network.ask(request),
      isHeld: ({ name, host }, what) =>
        faults.heldAt(`bmc:${name}`).includes(what) ||
        // Without DHCP's answer there is nothing to relay.
        (what === "relay" && faults.heldAt(`bmc:${host}`).includes("address")),
      hostOnSince(name) {
        const host = machines.get(hostId(name));
        return host?.power === "On" ? host.bootedAt : undefined;
      },
    });
    const inWorld = { database, clock, wall, random, servers, faults, site: effects };
    const metal = this.bmcs.forMetal3;
    this.#hubOptions = { ...inWorld, hardware: this.#hardware, metal, host, resolves, startUp };
    for (const dpu of this.dpus.list()) this.#hosts.addController(controllerOf(dpu));
    // The column holds only values that this class has written.
    for (const { body } of database.prepare("SELECT body FROM hubs ORDER BY rowid").all()) {
      this.#open(JSON.parse(String(body)) as HubRecord);
    }
  }

  /** Starts operators and API servers; resolves once they answer. */
  async start(): Promise<void> {
    this.#isRunning = true;
    for (const hub of this.#hubs.values()) this.#startHub(hub);
    this.#hardware.start();
    this.dpus.start();
    await this.#servers.ready();
  }

  /** Stops operators, timers and connections. To continue, open the world again; a stopped world cannot be started. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    for (const hub of this.#hubs.values()) hub.stop();
    this.#hardware.stop();
    this.dpus.stop();
    this.bmcs.stop();
    this.site.stop();
    await this.#servers.stop();
  }

  hubs(): Hub[] {
    return [...this.#hubs.values()];
  }

  /** A hub by its id. Throws NotFound. */
  hub(id: string): Hub {
    const hub = this.#hubs.get(id);
    if (!hub) throw notFound(`hub ${id}`);
    return hub;
  }

  hosts(): Host[] {
    return this.#hosts.list();
  }

  /** A host by its name. Throws NotFound. */
  host(name: string): Host {
    const host = this.#hosts.get(hostId(name));
    if (!host) throw notFound(`host ${name}`);
    return host;
  }

  /** What a server runs; undefined for a machine without a controller. */
  runs(id: string): Running | undefined {
    return this.#hardware.runs(id);
  }

  /** Adds a hub. Throws AlreadyExists. */
  async addHub(input: NewHub): Promise<Hub> {
    const { id, region } = newHubSchema.parse(input);
    const authority = await makeAuthority(`${id} API`);
    const identity = await makeServerCertificate(authority, ["127.0.0.1", "localhost"]);
    if (this.#hubs.has(id)) throw exists(`hub ${id}`);
    const record = { id, region, number: this.#hubs.size + 1, authority, identity };
    this.#database.prepare("INSERT INTO hubs VALUES (?, ?)").run(id, JSON.stringify(record));
    const hub = this.#open(record);
    if (this.#isRunning) {
      this.#startHub(hub);
      await this.#servers.ready();
    }
    return hub;
  }

  /**
   * Adds a machine: a powered-off server, or another machine, which somebody else powers on. Throws NotFound for its
   * hub, AlreadyExists for a name, a MAC address or a controller in use, Invalid for an invalid controller address.
   */
  addHost(input: NewHost): Host {
    const given = newHostSchema.parse(input);
    const hub = this.hub(given.hub);
    const id = hostId(given.name);
    this.#hosts.refuseTaken(given);
    const { server, dpus, ...machine } = given;
    const position = this.#hosts.countAt(hub.id);
    const host: Host = {
      id,
      ...machine,
      address: `10.${hub.number}.${Math.floor(position / 250)}.${(position % 250) + 2}`,
      reports_at: this.clock.now() + (given.discovered ? 0 : durations.discovery),
      ...(server && { server: { vendor: server.vendor } }),
    };
    if (server) {
      const { serial = `SN-${given.name}`, ...machine } = server;
      const macs = given.nics.map(({ mac }) => mac);
      const hardware = { ...usualHardware, gpus: gpusIn(given) };
      this.bmcs.add({ hardware, ...machine, id, controller: controllerOf(given), serial, macs });
      this.#hardware.add(id);
    }
    for (const dpu of dpus) this.#addDpu(host, dpu);
    this.#hosts.add(host);
    if (this.#isRunning && server) this.#lookAt(host);
    else if (this.#isRunning) hub.boot(host);
    return host;
  }

  #addDpu({ name: host }: Host, dpu: NonNullable<NewHost["dpus"]>[number]): void {
    const { name, serial, bmc, ports } = dpu;
    const id = hostId(name);
    const controller = controllerOf({ bmc });
    const macs = ports.map(({ mac }) => mac);
    this.bmcs.add({ id, controller, vendor: "bluefield", serial, macs, drives: [] });
    this.#hosts.addController(controller);
    const address = addressOfDpu(this.dpus.list().length);
    this.dpus.add({ id, host, name, serial, bmc, ports, address });
  }

  /**
   * Sends a request in process: to a hub or a hosted cluster by the URL in its kubeconfig, to a system of the site by
   * its URL, to a controller by the URL in its address.
   */
  readonly fetch: typeof fetch = (input, init) => {
    const request = input instanceof Request && !init ? input : new Request(input, init);
    const handle = this.#handlerAt(new URL(request.url)) ?? this.site.handlerAt(request.url);
    return handle ? orAborted(request.signal, handle(request)) : this.#servers.fetch(request);
  };

  #handlerAt({ host, origin }: URL): FetchHandler | undefined {
    if (origin === this.ironicUrl) return this.ironic.handle;
    return this.#hosts.hasController(host) ? this.bmcs.handle : undefined;
  }

  /** Every object outside of Slipway. */
  ledger(): LedgerItem[] {
    const hosts = this.hosts().flatMap((host) => {
      const agent = this.hub(host.hub).cluster.get("Agent", agentNamespace, host.id);
      const item = hostItem(host, agent, this.#tenants);
      const machine = host.server && this.bmcs.machines.get(host.id);
      if (!machine) return [item];
      return [item, ...serverItems(machine, this.bmcs.sessions(host.id), item.owner)];
    });
    const hubs = this.hubs().flatMap((hub) => [
      ...hubItems(hub, this.#tenants),
      ...bareMetalHostClaims(hub),
    ]);
    return [
      ...hosts,
      ...hubs,
      ...this.dpus.ledger(),
      ...this.ironic.ledger(),
      ...this.site.ledger(),
    ];
  }

  /** Queues a server's agent on all hubs, since any may have it. */
  #lookAt(host: Host): void {
    for (const hub of this.#hubs.values()) hub.lookAt(host);
  }

  #open(record: HubRecord): Hub {
    const hub = new Hub(record, this.#hubOptions);
    this.#hubs.set(hub.id, hub);
    hub.cluster.watch("*", ({ object }) => this.#tenants.learn(object));
    return hub;
  }

  #startHub(hub: Hub): void {
    hub.start();
    for (const host of this.#hosts.list()) if (host.hub === hub.id && !host.server) hub.boot(host);
  }
}

/** The addresses that DHCP assigns to DPUs, in the order of their creation. */
const addressOfDpu = (n: number): string => `10.250.${Math.floor(n / 250)}.${(n % 250) + 2}`;
