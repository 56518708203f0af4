import type { SiteNetwork } from "../core/at-site/site.ts";
import { type Clock, seconds } from "../core/clock.ts";
import { parseAddress } from "../core/ports/bare-metal/redfish/address.ts";
import type { AskAuthority } from "../core/ports/dns/powerdns/authority.ts";
import type { HubSpec } from "../core/resources/hub/model.ts";
import { refuse as bmcRefusal } from "../sim/bmc/error.ts";
import { openDatabase } from "../sim/database.ts";
import { refuse as dnsRefusal } from "../sim/dns/powerdns-api.ts";
import { refuse as fabricRefusal } from "../sim/fabric/api.ts";
import { refusal } from "../sim/faulty.ts";
import type { Host } from "../sim/host.ts";
import type { Hub } from "../sim/hub.ts";
import { refuse as dhcpRefusal } from "../sim/kea/kea.ts";
import type { FetchHandler } from "../sim/kubernetes/api.ts";
import type { LedgerItem } from "../sim/ledger.ts";
import { hostsAt, seedPool, switchedOff } from "../sim/seed.ts";
import type { SiteOptions, SiteSystem } from "../sim/site.ts";
import { refuse as storageRefusal } from "../sim/storage/error.ts";
import { openWorld, type World } from "../sim/world.ts";
import { type ServerCounts, serversAt } from "./servers/hardware.ts";

/** Several sites with their hubs: one simulated world per site, all on one clock. */

/** The size of the worlds. */
export interface Size {
  sites: number;
  hubsAtSite: number;
  /** By host type. */
  hostsAtHub: Record<string, number>;
  /** Differences from the default pools of numbers, by site. */
  networks?: readonly Partial<SiteNetwork>[];
  /** The outside network of each site; by default as in the world. */
  external?: NonNullable<SiteOptions["settings"]>["external"];
  /** The control planes of each hub, where it differs from the default. */
  slots?: number;
  /** The additional powered-off servers at each hub of the first site, for tenants to order whole. */
  servers?: ServerCounts;
  /** All hosts are powered-off servers, and each hub keeps this many of each type discovered. */
  hotPool?: Bounds;
}

/** The bounds of the number of free hosts. */
export interface Bounds {
  min: number;
  max: number;
}

export type SystemName =
  | SiteSystem
  | "hub"
  | "hosted cluster"
  | "controller of a server"
  | "controller of a DPU";

/** The destination of a request. */
export interface Destination {
  system: SystemName;
  /** The instance of the system, such as a hub's id. */
  instance: string;
  answer: FetchHandler;
  /** A refusal in the system's form. */
  refuse(status: number): Response;
}

export interface SiteWorld {
  id: string;
  zone: string;
  urls: Record<SiteSystem, string>;
  world: World;
  network: Partial<SiteNetwork> | undefined;
  hubs: Pick<HubSpec, "capacity" | "hot_pools">;
}

/** The start-up time of a hub's API server. */
export const startUp = seconds(10);

const firstPort = 20_001;
/** The ports of each site, for its hubs and all hosted clusters that it ever has. */
const portsOf = ({ sites }: Size): number => Math.floor((65_536 - firstPort) / sites);

const refusals = {
  fabric: fabricRefusal,
  dhcp: dhcpRefusal,
  dns: dnsRefusal,
  storage: storageRefusal,
};

export class Worlds {
  readonly sites: readonly SiteWorld[];
  /** The systems of the sites, by origin. */
  readonly #systems = new Map<string, Destination>();
  /** The ids of hubs, by the ports of their API servers. */
  readonly #hubs = new Map<number, string>();
  readonly #stops: (() => Promise<void>)[];
  readonly #portsOfSite: number;

  private constructor(
    opened: readonly (SiteWorld & { stop(): Promise<void> })[],
    portsOfSite: number,
  ) {
    this.sites = opened;
    this.#portsOfSite = portsOfSite;
    this.#stops = opened.map(({ stop }) => stop);
    for (const { id, urls, world } of opened) {
      for (const system of ["fabric", "dhcp", "dns", "storage"] as const)
        this.#systems.set(urls[system], {
          system,
          instance: id,
          answer: world.site.handlers[system],
          refuse: refusals[system],
        });
      for (const hub of world.hubs()) this.#hubs.set(portOf(hub.server ?? ""), hub.id);
      for (const { name, server, bmc } of world.hosts())
        if (server)
          this.#systems.set(parseAddress(bmc.address).url, {
            ...{ system: "controller of a server", instance: name },
            ...{ answer: world.bmcs.handle, refuse: bmcRefusal },
          });
      for (const { name, bmc } of world.dpus.list())
        this.#systems.set(parseAddress(bmc.address).url, {
          ...{ system: "controller of a DPU", instance: name },
          ...{ answer: world.bmcs.handle, refuse: bmcRefusal },
        });
    }
  }

  static async open(clock: Clock, random: () => number, size: Size): Promise<Worlds> {
    const numbers = Array.from({ length: size.sites }, (_, n) => n);
    const opened = [];
    for (const number of numbers) opened.push(await openSite(number, clock, random, size));
    return new Worlds(opened, portsOf(size));
  }

  hubs(): Hub[] {
    return this.sites.flatMap(({ world }) => world.hubs());
  }

  /** The hub with this id, and its site. */
  find(id: string): { hub: Hub; site: SiteWorld } | undefined {
    for (const site of this.sites) {
      const hub = site.world.hubs().find((one) => one.id === id);
      if (hub) return { hub, site };
    }
    return undefined;
  }

  destination(url: string): Destination {
    const { origin } = new URL(url);
    const system = this.#systems.get(origin);
    if (system) return system;
    const port = portOf(origin);
    const at = this.sites[Math.floor((port - firstPort) / this.#portsOfSite)];
    if (!at) throw new TypeError(`fetch failed: nobody is at ${origin}`);
    const hub = this.#hubs.get(port);
    return {
      ...(hub === undefined
        ? { system: "hosted cluster", instance: String(port) }
        : { system: "hub", instance: hub }),
      answer: (request) => at.world.fetch(request),
      refuse: refusal,
    };
  }

  /** All hosts with their sites. */
  hosts(): { site: SiteWorld; host: Host }[] {
    return this.sites.flatMap((site) => site.world.hosts().map((host) => ({ site, host })));
  }

  /** Queries the name servers of the site that has the name. */
  readonly askAuthority: AskAuthority = async (name, type) => {
    const site = this.sites.find(({ zone }) => name.endsWith(zone));
    return site ? site.world.site.askAuthority(name, type) : [[]];
  };

  /** Every object outside of Slipway; its name contains the site where several sites may have the same. */
  ledger(): LedgerItem[] {
    return this.sites.flatMap(({ id: site, world }) =>
      world.ledger().map((item) => ({ ...item, id: `${site}/${item.id}` })),
    );
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) await stop();
  }
}

const portOf = (url: string): number => Number(URL.canParse(url) ? new URL(url).port : 0);

async function openSite(number: number, clock: Clock, random: () => number, size: Size) {
  const id = `site-${number + 1}`;
  const zone = `${id}.example.com`;
  const database = openDatabase(":memory:");
  const world = openWorld({
    ...{ database, clock, wall: clock, random },
    startUp,
    firstPort: firstPort + number * portsOf(size),
    ...(size.external && { site: { external: size.external } }),
  });
  const urls = {
    fabric: `http://fabric.${id}.sim`,
    dhcp: `http://dhcp.${id}.sim`,
    dns: `http://dns.${id}.sim`,
    storage: `http://storage.${id}.sim`,
  };
  for (let n = 0; n < size.hubsAtSite; n++) await addHub(world, number, n, size);
  world.site.dns.addZone(zone);
  world.site.storage.addPool(seedPool);
  await world.start();
  const stop = async () => {
    await world.stop();
    database.close();
  };
  const hubs = hubSettings(size);
  return { id, zone, urls, world, network: size.networks?.[number], hubs, stop };
}

function hubSettings({ hotPool, slots, hostsAtHub }: Size): SiteWorld["hubs"] {
  const pools = (bounds: Bounds) => Object.keys(hostsAtHub).map((type) => [type, bounds]);
  return {
    ...(slots !== undefined && { capacity: slots }),
    ...(hotPool && { hot_pools: Object.fromEntries(pools(hotPool)) }),
  };
}

/** A hub with its hosts. */
async function addHub(world: World, site: number, n: number, size: Size) {
  const { hubsAtSite, hostsAtHub, hotPool, servers } = size;
  const hub = `hub-${site + 1}${String.fromCharCode("a".charCodeAt(0) + n)}`;
  await world.addHub({ id: hub, region: `region-${site + 1}` });
  const number = site * hubsAtSite + n;
  const hosts = hostsAt(hub, number, hostsAtHub);
  for (const host of hotPool ? switchedOff(hosts) : hosts) world.addHost(host);
  if (servers && site === 0 && n < (servers.hubs ?? hubsAtSite))
    for (const server of serversAt(hub, number, servers)) world.addHost(server);
}
