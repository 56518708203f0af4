import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../core/clock.ts";
import type { AskAuthority } from "../core/ports/dns/powerdns/authority.ts";
import { SimulatedPowerDns } from "./dns/powerdns.ts";
import { fabricApi } from "./fabric/api.ts";
import { openFabric, type SimulatedFabric } from "./fabric/fabric.ts";
import type { Cable, FabricSettings } from "./fabric/state.ts";
import type { Faults } from "./faults.ts";
import type { FetchHandler } from "./kubernetes/api.ts";
import type { LedgerItem } from "./ledger.ts";
import { SimulatedCeph } from "./storage/ceph.ts";

export type SiteSystem = "fabric" | "dns" | "storage";

export interface SiteOptions {
  /** From `openDatabase`; the caller closes it, after `stop`. */
  database: DatabaseSync;
  /** Simulated time. */
  clock: Clock;
  /** Real time: tokens, connections. */
  wall: Clock;
  random: () => number;
  faults: Pick<Faults, "take">;
  /** How the machines of the world are cabled; asked each time. */
  cables: () => Iterable<Cable>;
  /** Of the fabric, where they are not as usual. */
  settings?: Partial<FabricSettings>;
}

/** What the provider has beside its hubs: one network fabric, one DNS service, one storage cluster. */
export class SimulatedSite {
  readonly fabric: SimulatedFabric;
  readonly dns: SimulatedPowerDns;
  readonly storage: SimulatedCeph;
  /** Their APIs, on whatever host, with the faults that are asked of them. */
  readonly handlers: Record<SiteSystem, FetchHandler>;
  /** Where the world's `fetch` finds them, in process. */
  readonly urls: Record<SiteSystem, string> = {
    fabric: "http://fabric.sim",
    dns: "http://dns.sim",
    storage: "http://storage.sim",
  };

  constructor(options: SiteOptions) {
    const { cables, settings = {}, ...shared } = options;
    this.fabric = openFabric({ ...shared, cables, settings });
    this.dns = new SimulatedPowerDns(shared);
    this.storage = new SimulatedCeph(shared);
    this.handlers = {
      fabric: fabricApi(this.fabric),
      dns: this.dns.handle,
      storage: this.storage.handle,
    };
  }

  /** Asks the servers of the site's zones: there is one. */
  readonly askAuthority: AskAuthority = async (name, type) => [this.dns.resolve(name, type)];

  /** The API at this URL; undefined when it is none of the site's. */
  handlerAt(url: string): FetchHandler | undefined {
    const { origin } = new URL(url);
    const systems = Object.keys(this.urls) as SiteSystem[];
    const system = systems.find((one) => this.urls[one] === origin);
    return system && this.handlers[system];
  }

  /** Whether a name leads to an address: by itself, or by a floating IP in front of it. */
  leadsTo(name: string, address: string): boolean {
    return this.dns
      .resolve(name, "A")
      .some((found) => found === address || this.fabric.addressBehind(found) === address);
  }

  /** Calls `listener` whenever what machines and clients notice may have changed. Ends it when called. */
  watch(listener: () => void): () => void {
    const ends = [this.fabric.watch(listener), this.dns.watch(listener)];
    return () => {
      for (const end of ends) end();
    };
  }

  /** Everything that exists here. */
  ledger(): LedgerItem[] {
    return [this.fabric, this.dns, this.storage].flatMap((system) => system.ledger());
  }

  /** Ends its timers. A site that is stopped is opened anew. */
  stop(): void {
    this.fabric.stop();
    this.dns.stop();
  }
}
