import { type Clock, minutes } from "../../core/clock.ts";
import { freeHostsKey, poolKey } from "../../core/kernel/object/hub-keys.ts";
import { ticketPartition } from "../../core/kernel/object/keys.ts";
import type { SqliteStore } from "../../core/kernel/store/sqlite/sqlite.ts";
import type { Standby } from "../../core/placement/hot-pools/standby.ts";
import type { Host } from "../../core/placement/pool/host.ts";
import { hostCounts } from "../../core/placement/pool/host-counts.ts";
import { hostQueue, ticketIn } from "../../core/placement/queues/tickets.ts";
import type { Cluster } from "../../core/resources/cluster/model.ts";
import { type Counts, count } from "../counts.ts";
import type { Bounds, Worlds } from "../worlds.ts";

/** The state of a hub's pool of one type at one minute. */
export interface Sample {
  minute: number;
  free: number;
  /** Servers in discovery, in time or late, and servers that are off and could be discovered. */
  coming: number;
  late: number;
  idle: number;
  held: number;
  /** The number of hosts that orders wait for there. */
  wanted: number;
}

interface Place {
  hub: string;
  hostType: string;
  samples: Sample[];
}

interface Used {
  clock: Clock;
  worlds: Worlds;
  /** The store of the current process. */
  store(): SqliteStore;
}

/** Follows the pools by the minute, and each server that enters one. */
export class Pools {
  readonly places: readonly Place[];
  /** Free servers that were not erased, or that had two holders. */
  readonly wrong: string[] = [];
  /** The numbers of power-ons, and of servers that entered a pool. */
  starts = 0;
  admitted = 0;
  /** The last seen records of hosts. */
  readonly #hosts = new Map<string, Host>();
  /** The last seen revisions of clusters, and the holders of hosts. */
  readonly #revisions = new Map<string, number>();
  readonly #holders = new Map<string, string>();
  readonly #used: Used;
  readonly #began: number;

  constructor(used: Used, hostTypes: readonly string[]) {
    this.#used = used;
    const { clock, worlds } = used;
    this.#began = clock.now();
    this.places = worlds
      .hubs()
      .flatMap(({ id: hub }) => hostTypes.map((hostType) => ({ hub, hostType, samples: [] })));
    for (const { world } of worlds.sites) {
      const areOn = new Set<string>();
      world.bmcs.machines.watch(({ id, power }) => {
        const isOn = power === "On" || power === "PoweringOn";
        if (isOn && !areOn.has(id)) this.starts += 1;
        if (isOn) areOn.add(id);
        else areOn.delete(id);
      });
    }
  }

  /** Samples once a minute, until the returned function is called. */
  begin(): () => void {
    const look = () => {
      for (const place of this.places) place.samples.push(this.#sample(place));
      timer = this.#used.clock.after(minutes(1), look);
    };
    let timer = this.#used.clock.after(0, look);
    return () => timer.cancel();
  }

  /** Takes the current record of a host, and checks that a free one has nothing on its drives. */
  see(host: Host): void {
    const before = this.#hosts.get(host.id);
    this.#hosts.set(host.id, host);
    const isFree = host.status.state === "HOST_STATE_AVAILABLE";
    if (isFree && before?.status.state !== host.status.state) this.admitted += 1;
    const { hub, host_type: hostType } = host.spec;
    const { pk, sk } = poolKey(hub, hostType, host.id);
    const [entry] = this.#used
      .store()
      .items(pk)
      .filter((item) => item.sk === sk);
    if (entry?.state === "free") this.#refuseUnwiped(host);
  }

  /** Takes a cluster's current record, or its last, and checks that its hosts have no other holder. */
  hold({ id, revision, placement }: Cluster, isGone: boolean): void {
    if (revision < (this.#revisions.get(id) ?? 0)) return;
    this.#revisions.set(id, revision);
    const held = isGone ? [] : Object.values(placement?.hosts ?? {}).flat();
    for (const [host, holder] of this.#holders) if (holder === id) this.#holders.delete(host);
    for (const host of held) {
      const other = this.#holders.get(host);
      if (other !== undefined) this.wrong.push(`host ${host} is held by ${other} and ${id}`);
      this.#holders.set(host, id);
    }
  }

  /** The numbers of hosts by state. */
  byState(): Counts {
    const counts: Counts = {};
    for (const { status } of this.#hosts.values())
      count(counts, status.state.replace("HOST_STATE_", ""));
    return counts;
  }

  /** The pools outside their bounds: too many free hosts, or too few although others could be discovered. */
  outOfBounds({ min, max }: Bounds): string[] {
    return this.places.flatMap((place) => {
      const { free, coming, idle, wanted } = this.#sample(place);
      const name = `the pool of ${place.hostType} at ${place.hub}`;
      if (wanted > 0)
        return free + coming < wanted && idle > 0
          ? [`${name} starves: ${wanted} desired, ${free} free, ${coming} coming, ${idle} off`]
          : [];
      if (free > max) return [`${name} has ${free} free hosts, more than ${max}`];
      return free < min && idle + coming > 0
        ? [
            `${name} has ${free} free hosts, less than ${min}, and ${idle + coming} others are on standby`,
          ]
        : [];
    });
  }

  #sample({ hub, hostType }: Place): Sample {
    const store = this.#used.store();
    const [counters] = store.items(freeHostsKey(hub).pk);
    const of = (name: "type" | "held" | Standby) => hostCounts(counters, name)[hostType] ?? 0;
    const tickets = store.items(ticketPartition(hostQueue(hostType))).map(ticketIn);
    const wanted = tickets.reduce(
      (sum, { raises }) => sum + (raises?.hub === hub ? (raises.hosts[hostType] ?? 0) : 0),
      0,
    );
    const minute = Math.round((this.#used.clock.now() - this.#began) / minutes(1));
    const behind = { coming: of("coming"), late: of("late"), idle: of("idle") };
    return { minute, free: of("type"), ...behind, held: of("held"), wanted };
  }

  #refuseUnwiped({ id, metadata }: Host): void {
    for (const { world } of this.#used.worlds.sites)
      for (const { name, written } of world.bmcs.machines.get(id)?.drives ?? [])
        if (written !== undefined)
          this.wrong.push(`host ${metadata.name} is free, and ${name} has data of ${written}`);
  }
}
