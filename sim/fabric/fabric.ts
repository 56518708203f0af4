import type { DatabaseSync } from "node:sqlite";
import { type Clock, hours, systemClock, type Timer } from "../../core/clock.ts";
import type { Faults } from "../faults.ts";
import type { LedgerItem } from "../ledger.ts";
import type { Fate, PacketCarrier, Place, Protocol } from "../packets/packets.ts";
import { startDhcp, subnetsWithoutDhcp } from "./dhcp.ts";
import { behind, type Lease, leaseOf, type Segment, segmentOf } from "./effects.ts";
import { SimulatedKeystone } from "./keystone.ts";
import { fabricItems } from "./ledger.ts";
import { reaches } from "./packets.ts";
import { Records } from "./records.ts";
import { makeDefaultGroup } from "./security-groups.ts";
import { type Cable, type FabricSettings, FabricState } from "./state.ts";
import { SwitchFailure, vlanOf } from "./switches.ts";

export interface FabricOptions {
  /** From `openDatabase`; the caller closes it, after `stop`. */
  database: DatabaseSync;
  /** The simulated clock. */
  clock: Clock;
  /** The real clock, for tokens and connections. */
  wall?: Clock;
  random?: () => number;
  faults: Pick<Faults, "take">;
  /** The cabling of the world's machines; read at each use, so that new machines are included. */
  cables: () => readonly Cable[];
  settings?: Partial<FabricSettings>;
}

const defaults: FabricSettings = {
  physicalNetwork: "physnet1",
  vlans: { first: 100, last: 3999 },
  external: {
    cidr: "203.0.113.0/24",
    gateway: "203.0.113.1",
    first: "203.0.113.10",
    last: "203.0.113.250",
  },
  quotas: {},
  switchesEnforceGroups: true,
  roles: ["admin", "service"],
  maxPage: 1000,
  tokenLife: hours(1),
};

/** Opens the fabric in the database; in an empty database creates a cloud with an outside network. */
export function openFabric(options: FabricOptions): SimulatedFabric {
  return new SimulatedFabric(options);
}

/**
 * A simulated OpenStack cloud: Keystone, Neutron, and the switches behind it. Every change is stored before it is
 * answered. States are computed from stored times, so that no timer has to advance them.
 */
export class SimulatedFabric implements PacketCarrier {
  readonly keystone: SimulatedKeystone;
  readonly state: FabricState;
  readonly wall: Clock;
  readonly #listeners = new Set<() => void>();
  #timer: Timer | undefined;
  /** The version and time at which all due changes were made. */
  #looked: { version: number; at: number } | undefined;

  constructor(options: FabricOptions) {
    const { database, clock, wall = systemClock, random = Math.random } = options;
    const { faults, cables } = options;
    const settings = { ...defaults, ...options.settings };
    this.wall = wall;
    this.state = new FabricState(new Records(database), {
      clock,
      random,
      faults,
      cables,
      settings,
    });
    const { tokenLife, roles } = settings;
    this.keystone = new SimulatedKeystone({ database, wall, random, tokenLife, roles });
    if (this.#external === undefined) this.#makeCloud();
    this.#arm();
  }

  /** The id of the outside network. */
  get externalNetwork(): string {
    return this.#external?.id ?? "";
  }

  get physicalNetwork(): string {
    return this.state.context.settings.physicalNetwork;
  }

  /** The access VLAN of a switch port; undefined means the switch's own default. */
  vlanOf(name: string, port: string): number | undefined {
    return vlanOf(this.#settled(), { switch: name, port });
  }

  /** The current DHCP answer to a NIC; undefined if there is none. */
  dhcpLease(mac: string): Lease | undefined {
    return leaseOf(this.#settled(), mac);
  }

  /** The network of a NIC's switch port; undefined when it is in no VLAN. */
  segmentOf(mac: string): Segment | undefined {
    return segmentOf(this.#settled(), mac);
  }

  /** The inside address of a floating IP. */
  addressBehind(address: string): string | undefined {
    return behind(this.#settled(), address);
  }

  /** Whether a floating IP works: both it and its router are up. */
  isReachable(address: string): boolean {
    return this.addressBehind(address) !== undefined;
  }

  reaches(from: Place, to: Place, protocol: Protocol, port: number): Fate {
    return reaches(this.#settled(), from, to, { protocol, port });
  }

  /** Every object of the fabric. */
  ledger(): LedgerItem[] {
    return fabricItems(this.#settled());
  }

  /** Calls `listener` whenever the effects on machines may have changed; the returned function unsubscribes. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#arm();
    return () => this.#listeners.delete(listener);
  }

  /** Stops the timers. To continue, open the fabric again. */
  stop(): void {
    this.#listeners.clear();
    this.#timer?.cancel();
  }

  /** Runs one request and stores all of its writes, or none; only writes before a failure at a switch persist. */
  run<T>(request: (state: FabricState) => T): T {
    const state = this.#settled();
    const { version } = state.records;
    const outcome = state.records.atomically(() => {
      try {
        return { value: request(state) };
      } catch (error) {
        if (error instanceof SwitchFailure) return { failure: error };
        throw error;
      }
    });
    if (state.records.version !== version) this.#tell();
    if ("failure" in outcome) throw outcome.failure;
    return outcome.value;
  }

  /** Runs a request that writes nothing. */
  read<T>(request: (state: FabricState) => T): T {
    return request(this.#settled());
  }

  /** The state after all due changes. */
  #settled(): FabricState {
    const { state } = this;
    const { version } = state.records;
    const now = state.now();
    if (version === this.#looked?.version && now === this.#looked.at) return state;
    this.#looked = { version, at: now };
    const due = subnetsWithoutDhcp(state);
    if (due.length > 0) {
      state.records.atomically(() => {
        for (const subnet of due) startDhcp(state, subnet);
      });
    }
    return state;
  }

  #tell(): void {
    this.#arm();
    for (const listener of this.#listeners) listener();
  }

  /** Notifies the listeners when the next change is due. */
  #arm(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#listeners.size === 0) return;
    const { records } = this.state;
    const now = this.state.now();
    const due = [
      ...records.all("port").map(({ active_at }) => active_at),
      ...records.all("floatingip").map(({ active_at }) => active_at),
      ...records.all("subnet").map(({ dhcp_at }) => dhcp_at),
    ].filter((at) => at !== null && at > now);
    const next = due.reduce<number | undefined>(
      (first, at) => (at !== null && (first === undefined || at < first) ? at : first),
      undefined,
    );
    if (next !== undefined) {
      this.#timer = this.state.context.clock.after(next - now, () => this.#tell());
    }
  }

  get #external() {
    return this.state.records.all("network").find(({ external }) => external);
  }

  #makeCloud(): void {
    const { state } = this;
    const { cidr, gateway, first, last } = state.context.settings.external;
    state.records.atomically(() => {
      const provider = { project_id: "", name: "public" };
      const network = state.make("network", {
        ...provider,
        admin_state_up: true,
        shared: false,
        external: true,
        mtu: 1500,
        physical_network: "public",
        vlan: null,
      });
      state.make("subnet", {
        ...provider,
        network_id: network.id,
        cidr,
        gateway_ip: gateway,
        enable_dhcp: false,
        allocation_pools: [{ start: first, end: last }],
        dns_nameservers: [],
        host_routes: [],
        ipv6_ra_mode: null,
        ipv6_address_mode: null,
        dhcp_at: null,
      });
      makeDefaultGroup(state);
    });
  }
}
