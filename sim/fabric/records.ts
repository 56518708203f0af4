import type { DatabaseSync } from "node:sqlite";
import type { AllocationPool } from "./addresses.ts";

/** The records of the fabric. A state that changes with time is stored as the time of the change. */

export interface Common {
  id: string;
  name: string;
  description: string;
  project_id: string;
  tags: string[];
  revision_number: number;
  /** Milliseconds since the epoch. */
  created_at: number;
  updated_at: number;
}

export interface NetworkRecord extends Common {
  admin_state_up: boolean;
  shared: boolean;
  external: boolean;
  mtu: number;
  physical_network: string | null;
  vlan: number | null;
}

export const ipv6Modes = ["slaac", "dhcpv6-stateful", "dhcpv6-stateless"] as const;
export type Ipv6Mode = (typeof ipv6Modes)[number];

export interface SubnetRecord extends Common {
  network_id: string;
  cidr: string;
  gateway_ip: string | null;
  enable_dhcp: boolean;
  allocation_pools: AllocationPool[];
  dns_nameservers: string[];
  ipv6_ra_mode: Ipv6Mode | null;
  ipv6_address_mode: Ipv6Mode | null;
  host_routes: { destination: string; nexthop: string }[];
  /** When the DHCP agent starts; null without DHCP. */
  dhcp_at: number | null;
}

export interface RouterRecord extends Common {
  admin_state_up: boolean;
  gateway_network: string | null;
  enable_snat: boolean;
}

export interface FixedIp {
  subnet_id: string;
  ip_address: string;
}

export interface SwitchPort {
  switch: string;
  port: string;
}

export interface PortRecord extends Common {
  network_id: string;
  mac_address: string;
  admin_state_up: boolean;
  fixed_ips: FixedIp[];
  device_id: string;
  device_owner: string;
  vnic_type: string;
  host_id: string;
  profile: Record<string, unknown>;
  vif_type: "unbound" | "other" | "binding_failed";
  /** The switch port that the port is plugged into. */
  plugged: SwitchPort | null;
  security_groups: string[];
  port_security_enabled: boolean;
  /** When the port becomes ACTIVE; null if nothing will activate it. */
  active_at: number | null;
}

export interface FloatingIpRecord extends Common {
  floating_network_id: string;
  floating_ip_address: string;
  fixed_ip_address: string | null;
  port_id: string | null;
  router_id: string | null;
  active_at: number | null;
}

export interface SecurityGroupRecord extends Common {
  /** The project's default group, for ports without groups. */
  is_default: boolean;
}

export interface RuleRecord extends Common {
  security_group_id: string;
  direction: "ingress" | "egress";
  ethertype: "IPv4" | "IPv6";
  /** A name such as `tcp`, or a number; null for all protocols. */
  protocol: string | null;
  /** For ICMP its type. */
  port_range_min: number | null;
  /** For ICMP its code. */
  port_range_max: number | null;
  remote_ip_prefix: string | null;
  remote_group_id: string | null;
}

/** A switch port that kept its VLAN after a failed removal. The NIC behind it keeps its addresses. */
export interface ResidueRecord extends Common, SwitchPort {
  network_id: string;
  vlan: number;
  mac_address: string;
  fixed_ips: FixedIp[];
}

export interface Tables {
  network: NetworkRecord;
  subnet: SubnetRecord;
  router: RouterRecord;
  port: PortRecord;
  floatingip: FloatingIpRecord;
  security_group: SecurityGroupRecord;
  security_group_rule: RuleRecord;
  residue: ResidueRecord;
}
export type Kind = keyof Tables;

/** The records of every kind in memory, written through to the database. */
export class Records {
  readonly #database: DatabaseSync;
  readonly #put;
  readonly #remove;
  readonly #maps = new Map<string, Map<string, Common>>();
  /** Cached lists of each kind, until one of its records changes: reads are far more frequent than changes. */
  readonly #lists = new Map<string, readonly Common[]>();
  #version = 0;

  constructor(database: DatabaseSync) {
    database.exec(`CREATE TABLE IF NOT EXISTS fabric (
      number INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL
    ) STRICT`);
    this.#database = database;
    this.#put = database.prepare(`INSERT INTO fabric (kind, id, body) VALUES (?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET body = excluded.body`);
    this.#remove = database.prepare("DELETE FROM fabric WHERE id = ?");
    this.#load();
  }

  /** Increases with each change. */
  get version(): number {
    return this.#version;
  }

  /** All records of a kind, in the order of their creation. */
  all<K extends Kind>(kind: K): readonly Tables[K][] {
    const all = this.#lists.get(kind) ?? [...this.#of(kind).values()];
    this.#lists.set(kind, all);
    // Safe: the map of a kind holds only what `put` stored for it.
    return all as Tables[K][];
  }

  get<K extends Kind>(kind: K, id: string): Tables[K] | undefined {
    return this.#of(kind).get(id) as Tables[K] | undefined;
  }

  put<K extends Kind>(kind: K, record: Tables[K]): void {
    this.#put.run(kind, record.id, JSON.stringify(record));
    this.#of(kind).set(record.id, record);
    this.#changed(kind);
  }

  remove(kind: Kind, id: string): void {
    this.#remove.run(id);
    this.#of(kind).delete(id);
    this.#changed(kind);
  }

  /** Runs `change` and stores all of its writes, or none. */
  atomically<T>(change: () => T): T {
    this.#database.exec("SAVEPOINT fabric");
    try {
      const result = change();
      this.#database.exec("RELEASE fabric");
      return result;
    } catch (error) {
      this.#database.exec("ROLLBACK TO fabric; RELEASE fabric");
      this.#load();
      throw error;
    }
  }

  #changed(kind: Kind): void {
    this.#lists.delete(kind);
    this.#version += 1;
  }

  #of(kind: string): Map<string, Common> {
    const known = this.#maps.get(kind) ?? new Map<string, Common>();
    this.#maps.set(kind, known);
    return known;
  }

  #load(): void {
    this.#maps.clear();
    this.#lists.clear();
    this.#version += 1;
    const rows = this.#database.prepare("SELECT kind, body FROM fabric ORDER BY number").all();
    for (const { kind, body } of rows) {
      // Safe: the column holds only what `put` has written.
      const record = JSON.parse(String(body)) as Common;
      this.#of(String(kind)).set(record.id, record);
    }
  }
}
