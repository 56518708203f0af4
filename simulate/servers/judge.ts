import { isDeepStrictEqual } from "node:util";
import { objectKey } from "../../core/kernel/object/keys.ts";
import { isOfObject, objectIn } from "../../core/kernel/object/records.ts";
import type { Item, StreamRecord } from "../../core/kernel/store/store.ts";
import type { Host } from "../../core/placement/pool/host.ts";
import type { BaremetalInstance } from "../../core/resources/baremetal-instance/model.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { isAnother } from "../../sim/bmc/bmcs.ts";
import { DpuPackets } from "../../sim/dpu/packets.ts";
import { hostId, type Host as SimHost } from "../../sim/host.ts";
import type { PacketCarrier, Place } from "../../sim/packets/packets.ts";
import type { World } from "../../sim/world.ts";
import type { System } from "../system.ts";
import { outsideAddresses } from "./offers.ts";

/**
 * A path of packets to a server: from another server's address, or from outside to an address of the server.
 */
interface Way {
  from: { host: string; source: string } | { outside: string };
  to: string;
}

/**
 * Checks at each moment whether tenants' servers are isolated and erased: compares what the simulated machines, DPUs
 * and switches do with the tenants in the records of hosts.
 *
 * - A packet arrives only at a server of the sender's tenant, with nothing of others on its drives.
 * - A server sends only from an address that it has claimed and not released, so from its old or its new networks
 *   while these change.
 * - A packet from outside arrives only at the server to which the address belongs.
 * - So no packet arrives at a server that is isolated and not erased yet, nor at a free one.
 * - No owner gets a server with something of others on its drives.
 * - No server is switched, erased or told what to boot at the address of a host or DPU that it is not.
 */
export class Judge {
  /** The violations that it has found. */
  readonly crossed = new Set<string>();
  readonly unwiped = new Set<string>();
  /** The number of moments that were checked, and of packets that arrived as permitted. */
  moments = 0;
  arrived = 0;
  /** The number of them that came from outside. */
  cameIn = 0;
  readonly #system: System;
  readonly #world: World;
  /** Servers of other owners that were changed by mistake. */
  readonly #changed = new Set<string>();
  readonly #servers: readonly SimHost[];
  /** Whether something has changed since the last check. */
  #isNews = true;
  /** The paths, until the networks change. */
  #ways: Way[] | undefined;
  readonly #overlays: DpuPackets;
  /** The records that this check has read. */
  readonly #hosts = new Map<string, Host | undefined>();
  /** The last seen holder of each host. */
  readonly #holders = new Map<string, string>();

  constructor(system: System) {
    const world = system.worlds.sites[0]?.world;
    if (!world) throw new Error("there is no site");
    this.#system = system;
    this.#world = world;
    this.#servers = world.hosts().filter(({ server }) => server);
    const note = () => {
      this.#isNews = true;
    };
    const noteWays = () => {
      this.#ways = undefined;
      note();
    };
    this.#overlays = new DpuPackets(world.dpus);
    world.site.fabric.watch(noteWays);
    world.dpus.watch(noteWays);
    const powers = new Map<string, string>();
    world.bmcs.machines.watch(({ id, power, drives }) => {
      if (isAnother(id)) for (const other of world.bmcs.touched()) this.#changed.add(other);
      const now = `${power} ${drives.map(({ written }) => written).join()}`;
      if (powers.get(id) !== now) note();
      powers.set(id, now);
    });
    system.clock.meanwhile = async () => this.look();
  }

  /** Changes to a server through another server's address, whether or not the server is ours. */
  get touched(): string[] {
    return [...this.#changed, ...this.#world.bmcs.misdirected];
  }

  /** Takes a change of the store: another holder of a host, or other addresses of a server. */
  see({ key, before, after }: StreamRecord): void {
    if (key.pk.startsWith("baremetal_instance#"))
      this.#isNews ||= !isDeepStrictEqual(addressesIn(before), addressesIn(after));
    if (!after || !key.pk.startsWith("host#")) return;
    const host = objectIn<"host">(kinds, after);
    const holder = host.status.owner?.id;
    if (this.#holders.get(host.id) === holder) return;
    this.#isNews = true;
    if (holder === undefined) this.#holders.delete(host.id);
    else this.#holders.set(host.id, holder);
    const mark = this.#markOn(host.metadata.name);
    if (holder !== undefined && mark !== undefined && mark !== markOf(holder))
      this.unwiped.add(`host ${host.metadata.name} is given to ${holder} with data of ${mark}`);
  }

  /** Checks this moment, unless nothing has changed since the last one. */
  look(): void {
    if (!this.#isNews) return;
    this.#isNews = false;
    this.moments += 1;
    this.#hosts.clear();
    this.#ways ??= this.#findWays();
    const { machines } = this.#world.bmcs;
    // A server without power sends nothing and receives nothing.
    const isOn = new Map(
      this.#servers.map(({ id, name }) => [name, (machines.get(id)?.power ?? "Off") !== "Off"]),
    );
    for (const { from, to } of this.#ways)
      if (isOn.get(to) && ("outside" in from || isOn.get(from.host))) this.#judge(from, to);
  }

  #judge(from: Way["from"], to: string): void {
    const theirs = this.#hostOf(to)?.status.owner;
    const mark = this.#markOn(to);
    const sender = "host" in from ? this.#hostOf(from.host)?.status.owner : undefined;
    const ours = sender?.tenant;
    const said = (what: string) => {
      const at = new Date(this.#system.clock.now()).toISOString();
      const which = "host" in from ? `of ${from.host} (${ours})` : `for ${from.outside}`;
      this.crossed.add(`${at}: a packet ${which} reaches ${to}, ${what}`);
    };
    if (theirs === undefined) said("which nobody has");
    else if ("host" in from && ours !== theirs.tenant) said(`which ${theirs.tenant} has`);
    else if (sender && "host" in from && !this.#claimedBy(sender.id).includes(from.source))
      said(`from ${from.source}, which ${sender.id} has not claimed`);
    else if ("outside" in from && this.#addressOf(theirs.id) !== from.outside)
      said(`which ${theirs.id} has, and not that address`);
    else if (mark !== undefined && mark !== markOf(theirs.id)) said(`which has data of ${mark}`);
    else if ("outside" in from) this.cameIn += 1;
    else this.arrived += 1;
  }

  /** The paths of packets from each server and from outside, if all servers were on. */
  #findWays(): Way[] {
    const ends = this.#servers.flatMap(({ name, nics }) =>
      nics.map(({ mac }) => ({ host: name, at: { nic: mac } })),
    );
    const among = ends.flatMap(({ host, at }) => {
      const carrier = this.#carrier(at);
      return ends
        .filter((other) => other.host !== host)
        .flatMap((other) => {
          const fate = carrier.reaches(at, other.at, ...asked);
          return fate.arrives ? [{ from: { host, source: fate.source }, to: other.host }] : [];
        });
    });
    const hosts = new Map(ends.map(({ host, at }) => [at.nic, host]));
    const fromOutside = [this.#overlays, this.#world.site.fabric].flatMap((carrier) =>
      outsideAddresses.flatMap((address) => {
        const fate = carrier.reaches({ address: somebody }, { address }, ...asked);
        const to = fate.arrives ? hosts.get(fate.at) : undefined;
        return to === undefined ? [] : [{ from: { outside: address }, to }];
      }),
    );
    return [...among, ...fromOutside];
  }

  #carrier(from: Place): PacketCarrier {
    const { dpus, site } = this.#world;
    return "nic" in from && dpus.before(from.nic) ? this.#overlays : site.fabric;
  }

  #hostOf(name: string): Host | undefined {
    if (!this.#hosts.has(name)) this.#hosts.set(name, this.#stored(name));
    return this.#hosts.get(name);
  }

  #stored(name: string): Host | undefined {
    const item = this.#itemOf("host", hostId(name));
    return item && objectIn<"host">(kinds, item);
  }

  /** The external IP that a server was ordered with. */
  #addressOf(instance: string): string | undefined {
    return this.#instance(instance)?.automatic_ip?.address;
  }

  /** The addresses of a server in its tenant's subnets. */
  #claimedBy(instance: string): string[] {
    const { addresses = {} } = this.#instance(instance) ?? {};
    return Object.values(addresses).flatMap((each) => Object.values(each));
  }

  #instance(id: string): BaremetalInstance | undefined {
    const item = this.#itemOf("baremetal_instance", id);
    return item && objectIn<"baremetal_instance">(kinds, item);
  }

  #itemOf(kind: "host" | "baremetal_instance", id: string): Item | undefined {
    const { pk, sk } = objectKey(kind, id);
    return this.#system.slipway.store.items(pk).find((each) => each.sk === sk);
  }

  #markOn(name: string): string | undefined {
    const drives = this.#world.bmcs.machines.get(hostId(name))?.drives ?? [];
    return drives.find(({ written }) => written !== undefined)?.written;
  }
}

const addressesIn = (item: Item | undefined) =>
  item && isOfObject(item) && objectIn<"baremetal_instance">(kinds, item).addresses;

/** The packet that is tested everywhere. */
const asked = ["tcp", 443] as const;
/** An address outside. */
const somebody = "198.51.100.7";

const markOf = (instance: string): string => `instance ${instance}`;
