import type { Clock } from "../../core/clock.ts";
import { idSource } from "../../core/id.ts";
import type { Faults } from "../faults.ts";
import { overQuota } from "./error.ts";
import type { Common, Kind, Records, Tables } from "./records.ts";

export interface FabricSettings {
  /** The physical network of the switches, and its VLANs. */
  physicalNetwork: string;
  vlans: { first: number; last: number };
  /** The outside network, and its range for floating IPs and gateways. */
  external: { cidr: string; gateway: string; first: string; last: string };
  /** The quotas by kind, such as network or floatingip; absent and -1 mean no limit. */
  quotas: Record<string, number>;
  /** Whether the switches enforce the security groups of the ports that are bound to them. */
  switchesEnforceGroups: boolean;
  /** The roles of the credential; in Neutron no single role permits all that an order needs. */
  roles: readonly string[];
  /** The most objects on a page. */
  maxPage: number;
  /** Milliseconds of real time. */
  tokenLife: number;
}

/** The cabling of a machine's NIC. */
export interface Cable {
  mac: string;
  switch: string;
  port: string;
}

export interface FabricContext {
  /** The simulated clock. */
  clock: Clock;
  random: () => number;
  faults: Pick<Faults, "take">;
  cables: () => readonly Cable[];
  settings: FabricSettings;
}

/** The one project of this cloud. */
export const project = "5a2d1c0e9f3b4d7c8e6f0a1b2c3d4e5f";

type Given<K extends Kind> = Omit<Tables[K], keyof Common> & Partial<Common>;

/** Records with their common members: ids, times, revisions, quota. */
export class FabricState {
  readonly records: Records;
  readonly context: FabricContext;
  readonly #newId: () => string;

  constructor(records: Records, context: FabricContext) {
    this.records = records;
    this.context = context;
    this.#newId = idSource(context.clock, context.random);
  }

  now(): number {
    return this.context.clock.now();
  }

  /** Whether the time of a change has passed. */
  isPast(at: number | null): boolean {
    return at !== null && at <= this.now();
  }

  requireQuota(kind: Kind): void {
    const limit = this.context.settings.quotas[kind] ?? -1;
    if (limit >= 0 && this.used(kind) >= limit) throw overQuota(kind);
  }

  /** The number of objects that count against the quota; the fabric's own do not. */
  used(kind: Kind): number {
    return this.records.all(kind).filter((record) => record.project_id === project).length;
  }

  make<K extends Kind>(kind: K, given: Given<K>): Tables[K] {
    const now = this.now();
    const common: Common = {
      id: given.id ?? this.#newId(),
      name: "",
      description: "",
      project_id: project,
      tags: [],
      revision_number: 0,
      created_at: now,
      updated_at: now,
    };
    // Safe: `Given` has the members of the kind that `common` lacks.
    const record = { ...common, ...given } as unknown as Tables[K];
    this.records.put(kind, record);
    return record;
  }

  change<K extends Kind>(kind: K, record: Tables[K], changes: Partial<Tables[K]>): Tables[K] {
    const changed = {
      ...record,
      ...changes,
      revision_number: record.revision_number + 1,
      updated_at: this.now(),
    };
    this.records.put(kind, changed);
    return changed;
  }
}
