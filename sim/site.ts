import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../core/clock.ts";
import type { AskAuthority } from "../core/ports/dns/powerdns/authority.ts";
import { SimulatedPowerDns } from "./dns/powerdns.ts";
import { fabricApi } from "./fabric/api.ts";
import { openFabric, type SimulatedFabric } from "./fabric/fabric.ts";
import type { Cable, FabricSettings } from "./fabric/state.ts";
import type { Faults } from "./faults.ts";
import { SimulatedKea } from "./kea/kea.ts";
import type { FetchHandler } from "./kubernetes/api.ts";
import type { LedgerItem } from "./ledger.ts";
import { SimulatedNetbox } from "./netbox/netbox.ts";
import type { NicAddress, SiteEffects } from "./site-effects.ts";
import { SimulatedCeph } from "./storage/ceph.ts";

export type SiteSystem = "fabric" | "dhcp" | "dns" | "storage";

export interface SiteOptions {
  /** From `openDatabase`; the caller closes it, after `stop`. */
  database: DatabaseSync;
  /** The simulated clock. */
  clock: Clock;
  /** The real clock, for tokens and connections. */
  wall: Clock;
  random: () => number;
  faults: Pick<Faults, "take">;
  /** The cabling of the world's machines; read at each use. */
  cables: () => readonly Cable[];
  /** Overrides of the fabric's default settings. */
  settings?: Partial<FabricSettings>;
}

/**
 * The simulated systems beside the hubs: a network fabric, a DHCP server, a DNS service, a storage cluster, and a
 * NetBox, which is empty at first.
 */
export class SimulatedSite implements SiteEffects {
  readonly fabric: SimulatedFabric;
  /** Answers DHCP where the fabric does not. */
  readonly dhcp: SimulatedKea;
  readonly dns: SimulatedPowerDns;
  readonly storage: SimulatedCeph;
  readonly netbox: SimulatedNetbox;
  /** The URL of NetBox, in process. */
  readonly netboxUrl = "http://netbox.sim";
  /** The APIs of the systems, with their injected faults; URLs' hosts are ignored. */
  readonly handlers: Record<SiteSystem, FetchHandler>;
  /** The URLs of the systems for the world's `fetch`, in process. */
  readonly urls: Record<SiteSystem, string> = {
    fabric: "http://fabric.sim",
    dhcp: "http://dhcp.sim",
    dns: "http://dns.sim",
    storage: "http://storage.sim",
  };

  constructor(options: SiteOptions) {
    const { cables, settings = {}, ...shared } = options;
    this.fabric = openFabric({ ...shared, cables, settings });
    this.dhcp = new SimulatedKea(shared);
    this.dns = new SimulatedPowerDns(shared);
    this.storage = new SimulatedCeph(shared);
    this.netbox = new SimulatedNetbox(shared);
    this.handlers = {
      fabric: fabricApi(this.fabric),
      dhcp: this.dhcp.handle,
      dns: this.dns.handle,
      storage: this.storage.handle,
    };
  }

  /** Queries the site's only name server. */
  readonly askAuthority: AskAuthority = async (name, type) => [this.dns.resolve(name, type)];

  /** The API at this URL; undefined for a URL outside the site. */
  handlerAt(url: string): FetchHandler | undefined {
    const { origin } = new URL(url);
    if (origin === this.netboxUrl) return this.netbox.handle;
    const systems = Object.keys(this.urls) as SiteSystem[];
    const system = systems.find((one) => this.urls[one] === origin);
    return system && this.handlers[system];
  }

  isInVlan(switchName: string, port: string): boolean {
    return this.fabric.vlanOf(switchName, port) !== undefined;
  }

  /** From the fabric, or from the DHCP server that its router relays to. */
  leaseOf(mac: string): NicAddress | undefined {
    const lease = this.fabric.dhcpLease(mac);
    if (lease) return lease;
    for (const prefix of this.fabric.segmentOf(mac)?.relayed ?? []) {
      const address = this.dhcp.leaseOf(mac, prefix)?.address;
      if (address !== undefined)
        return { address, prefixLength: Number(prefix.split("/")[1]), isRouted: true };
    }
    return undefined;
  }

  resolve(name: string): string[] {
    return this.dns.resolve(name, "A");
  }

  addressBehind(floatingIp: string): string | undefined {
    return this.fabric.addressBehind(floatingIp);
  }

  watch(listener: () => void): () => void {
    const ends = [this.fabric, this.dhcp, this.dns].map((system) => system.watch(listener));
    return () => {
      for (const end of ends) end();
    };
  }

  /** Every object at the site. */
  ledger(): LedgerItem[] {
    const systems = [this.fabric, this.dhcp, this.dns, this.storage, this.netbox];
    return systems.flatMap((system) => system.ledger());
  }

  /** Stops the timers. To continue, open the site again. */
  stop(): void {
    this.fabric.stop();
    this.dhcp.stop();
    this.dns.stop();
  }
}
