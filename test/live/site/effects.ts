import { systemClock } from "../../../core/clock.ts";
import type { Log } from "../../../core/log.ts";
import { type AskAuthority, askAuthority } from "../../../core/ports/dns/powerdns/authority.ts";
import { every } from "../../../local/timer.ts";
import type { NicAddress, SiteEffects } from "../../../sim/site-effects.ts";
import type { KeaServer } from "../kea/server.ts";
import type { Cloud } from "../neutron/cloud.ts";
import { addressesOf, type Cabled, cabledPorts, routedSubnets } from "../neutron/ports.ts";

/** Real milliseconds between two looks. */
const lookEvery = 1000;

interface Seen {
  /** The ports that are in a VLAN. */
  cabled: Cabled[];
  /** By MAC. */
  leases: Record<string, NicAddress & { prefix: string }>;
  /** By name. */
  names: Record<string, string[]>;
  /** Inside addresses by floating IPs. */
  behind: Record<string, string>;
}

/**
 * What real systems do for simulated machines: a NIC whose switch port Neutron has bound asks Kea for its address by
 * DHCP, names are resolved at PowerDNS, floating IPs lead where Neutron says.
 */
export class RealEffects implements SiteEffects {
  readonly #cloud: Cloud;
  readonly #kea: KeaServer;
  readonly #authority: AskAuthority;
  readonly #listeners = new Set<() => void>();
  /** Names that somebody has asked for. */
  readonly #names = new Set<string>();
  #seen: Seen = { cabled: [], leases: {}, names: {}, behind: {} };
  readonly #stop: () => Promise<void>;

  constructor({ cloud, kea, dns }: { cloud: Cloud; kea: KeaServer; dns: string }, log: Log) {
    this.#cloud = cloud;
    this.#kea = kea;
    this.#authority = askAuthority([dns]);
    this.#stop = every(systemClock, lookEvery, log, () => this.#look());
  }

  isInVlan(switchName: string, port: string): boolean {
    return this.#seen.cabled.some((one) => one.switch === switchName && one.port === port);
  }

  leaseOf(mac: string): NicAddress | undefined {
    return this.#seen.leases[mac.toLowerCase()];
  }

  resolve(name: string): string[] {
    this.#names.add(name);
    return this.#seen.names[name] ?? [];
  }

  addressBehind(floatingIp: string): string | undefined {
    return this.#seen.behind[floatingIp];
  }

  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  async #look(): Promise<void> {
    const cabled = await cabledPorts(this.#cloud);
    const [leases, names, behind] = await Promise.all([
      this.#leases(cabled),
      this.#resolved(),
      addressesOf(this.#cloud),
    ]);
    const before = JSON.stringify(this.#seen);
    this.#seen = { cabled, leases, names, behind };
    if (JSON.stringify(this.#seen) !== before) for (const listener of this.#listeners) listener();
  }

  /** A NIC keeps its address as long as it is in the VLAN, and asks again until it has one. */
  async #leases(cabled: Cabled[]): Promise<Seen["leases"]> {
    const routed = cabled.length > 0 ? await routedSubnets(this.#cloud) : new Map<string, string>();
    const found = await Promise.all(
      cabled.map(async ({ mac, subnets }): Promise<[string, Seen["leases"][string]][]> => {
        const prefix = subnets.map((id) => routed.get(id)).find((cidr) => cidr !== undefined);
        if (prefix === undefined) return [];
        const known = this.#seen.leases[mac];
        if (known?.prefix === prefix) return [[mac, known]];
        const address = await this.#kea.leaseOf(mac, prefix);
        const prefixLength = Number(prefix.split("/")[1]);
        return address ? [[mac, { address, prefix, prefixLength, isRouted: true }]] : [];
      }),
    );
    return Object.fromEntries(found.flat());
  }

  async #resolved(): Promise<Record<string, string[]>> {
    const names = [...this.#names];
    const found = await Promise.all(names.map((name) => this.#authority(name, "A")));
    return Object.fromEntries(names.map((name, at) => [name, found[at]?.flat() ?? []]));
  }
}
