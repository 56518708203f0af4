import type { DatabaseSync } from "node:sqlite";
import type { Clock, Timer } from "../core/clock.ts";
import { type Machine, restarted } from "./bmc/machine.ts";
import type { Machines } from "./bmc/machines.ts";
import { durations } from "./durations.ts";
import {
  goneOn,
  type Installed,
  markOf,
  type NetBoot,
  type Surroundings,
  started,
} from "./net-boot/boots.ts";

/** What a server runs. */
export type Running =
  | { system: "none" }
  /** The discovery image of a hub. Its agent registers once, no earlier than `from`. */
  | { system: "discovery"; hub: string; from: number; isRegistered: boolean }
  /** What was installed on its disk for this cluster. */
  | { system: "installed"; cluster: string }
  | NetBoot;

interface Server {
  /** When the machine booted what it runs; absent while it has booted nothing. */
  boot?: number;
  runs: Running;
  /** What an installer has written on its disk, and whether that has started there. */
  disk?: Installed & { hasStarted?: true };
}

interface ServersOptions {
  /** From `openDatabase`; the caller closes it. */
  database: DatabaseSync;
  /** Simulated time. */
  clock: Clock;
  machines: Machines;
  /** The hub whose discovery image this URL serves now. */
  imageOf(url: string): string | undefined;
  /** Whether an image runs by itself, and reports to no hub. */
  isRamdisk(url: string): boolean;
  /** Asks on the network that a server boots on. Throws when nobody answers. */
  ask(request: Request): Promise<Response>;
  /** Whether DHCP answers a server. */
  hasAddress(server: string): boolean;
  /** What is held up of what a server boots from the network. */
  isHeld: (server: string, what: Parameters<Surroundings["isHeld"]>[0]) => boolean;
  /** What the server boots instead, where something has gone wrong: the image of a hub, or its disk. */
  bootsInstead(server: string): { hub?: string } | undefined;
  /** An agent reports to the hub; false when it cannot reach that. */
  register(server: string, hub: string): boolean;
  /** What the server runs has changed. */
  changed(server: string): void;
}

const nothing: Running = { system: "none" };

/** What a disk has, on which somebody has written last. */
function onDisk(written: string | undefined, disk: Server["disk"], at: number): Running {
  if (disk && written === markOf(disk)) return started(disk, !disk.hasStarted, at);
  return written === undefined ? nothing : { system: "installed", cluster: written };
}

const discoveryOf = (hub: string, at: number): Running => ({
  system: "discovery",
  hub,
  from: at + durations.discovery,
  isRegistered: false,
});

const isNetBoot = (runs: Running): runs is NetBoot =>
  runs.system !== "none" && runs.system !== "discovery" && runs.system !== "installed";

/** The servers of a world: each runs what its controller was set to boot, and nothing else. Durable. */
export class Servers {
  readonly #options: ServersOptions;
  readonly #put;
  readonly #servers = new Map<string, Server>();
  readonly #timers = new Map<string, Timer>();
  #unwatch: (() => void) | undefined;

  constructor(options: ServersOptions) {
    const { database } = options;
    database.exec(
      "CREATE TABLE IF NOT EXISTS servers (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT",
    );
    this.#options = options;
    this.#put = database.prepare("INSERT OR REPLACE INTO servers VALUES (?, ?)");
    // The columns hold only values that this class has written.
    for (const { id, body } of database.prepare("SELECT id, body FROM servers ORDER BY id").all())
      this.#servers.set(String(id), JSON.parse(String(body)) as Server);
  }

  /** Whether the world has no servers. */
  get isNone(): boolean {
    return this.#servers.size === 0;
  }

  /** Adds a server that is switched off. */
  add(id: string): void {
    this.#store(id, { runs: nothing });
  }

  start(): void {
    const { machines } = this.#options;
    this.#unwatch = machines.watch((machine) => this.#look(machine));
    for (const id of this.#servers.keys()) {
      const machine = machines.get(id);
      if (machine) this.#look(machine);
      this.#follow(id);
    }
  }

  /** Ends the timers. To continue, open the servers again. */
  stop(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  /** What a server runs; undefined when there is no such server. */
  runs(id: string): Running | undefined {
    return this.#servers.get(id)?.runs;
  }

  /** When a server has booted what it runs. */
  bootedAt(id: string): number | undefined {
    return this.#servers.get(id)?.boot;
  }

  /** The machine of a server, as it is now. */
  machine(id: string): Machine | undefined {
    return this.#options.machines.get(id);
  }

  /** A cluster's installer and its workloads write on all drives. */
  install(id: string, cluster: string): void {
    const { machines } = this.#options;
    const machine = machines.get(id);
    if (!machine?.drives.every(({ written }) => written === cluster)) machines.write(id, cluster);
  }

  /** The operating system restarts its machine. */
  restart(id: string): void {
    const { machines, clock } = this.#options;
    const machine = machines.get(id);
    if (machine) machines.put(restarted(machine, clock.now()));
  }

  /** The installed system starts a hub's discovery image by itself, which reports at this time. */
  reclaim(id: string, hub: string, from: number): void {
    const server = this.#servers.get(id);
    if (server?.runs.system !== "installed") return;
    this.#store(id, { ...server, runs: { system: "discovery", hub, from, isRegistered: false } });
    this.#follow(id);
  }

  /** Follows the machine: whatever it has booted anew is what the server runs from then on. */
  #look(machine: Machine): void {
    const server = this.#servers.get(machine.id);
    if (!server || server.boot === machine.bootedAt) return;
    const { boot: _, ...rest } = server;
    const { bootedAt } = machine;
    const boot = bootedAt !== undefined && { boot: bootedAt };
    this.#change(machine.id, { ...rest, ...boot, runs: this.#found(machine, server) });
  }

  /** The server is like this from now on. */
  #change(id: string, server: Server): void {
    const disk = server.disk &&
      server.runs.system === "instance" && { disk: { ...server.disk, hasStarted: true as const } };
    this.#store(id, { ...server, ...disk });
    this.#follow(id);
    this.#options.changed(id);
  }

  /**
   * What a machine has booted. Where an image cannot be had, or nobody gives an address, the firmware continues
   * to the disk.
   */
  #found({ id, booted, bootedAt = 0, drives: [first] }: Machine, { disk }: Server): Running {
    const { imageOf, bootsInstead, isRamdisk, hasAddress } = this.#options;
    if (!booted || ("url" in booted && isRamdisk(booted.url))) return nothing;
    const told = { hub: "url" in booted ? imageOf(booted.url) : undefined };
    const instead = bootsInstead(id);
    const { hub } = instead ?? told;
    if (hub !== undefined) return discoveryOf(hub, bootedAt);
    const { address, noAddress } = durations.netBoot;
    if (!instead && booted.from === "http" && hasAddress(id))
      return { system: "firmware", url: booted.url, at: bootedAt + address };
    return onDisk(first?.written, disk, booted.from === "http" ? bootedAt + noAddress : bootedAt);
  }

  /** Goes on with a boot from the network, unless the server runs something else by then. */
  async #goOn(id: string, before: Running): Promise<void> {
    if (!isNetBoot(before)) return;
    const { clock, ask, isHeld, imageOf, machines } = this.#options;
    const next = await goneOn(before, {
      now: clock.now(),
      ask,
      isHeld: (what) => isHeld(id, what),
      imageOf,
    });
    const server = this.#servers.get(id);
    if (!next || server?.runs !== before || !this.#unwatch) return;
    if (next.system === "discovery")
      return this.#change(id, { ...server, runs: discoveryOf(next.hub, clock.now()) });
    if (next.system === "disk") {
      const written = machines.get(id)?.drives[0]?.written;
      const runs = onDisk(written, server.disk, clock.now());
      return this.#change(id, { ...server, runs });
    }
    if (next.system !== "written") return this.#change(id, { ...server, runs: next });
    this.#store(id, { ...server, disk: next.installed });
    machines.write(id, markOf(next.installed));
    this.restart(id);
  }

  /** Has the agent of a discovery image register: once in its life, whatever becomes of its Agent. */
  #follow(id: string): void {
    this.#timers.get(id)?.cancel();
    this.#timers.delete(id);
    const { clock, register, changed } = this.#options;
    const runs = this.runs(id);
    if (runs && isNetBoot(runs) && "at" in runs && runs.at !== undefined) {
      const goOn = () => void this.#goOn(id, runs);
      this.#timers.set(id, clock.after(Math.max(0, runs.at - clock.now()), goOn));
    }
    if (runs?.system !== "discovery" || runs.isRegistered) return;
    const after = (ms: number) => this.#timers.set(id, clock.after(Math.max(0, ms), report));
    const report = () => {
      this.#timers.delete(id);
      const server = this.#servers.get(id);
      if (!server) return;
      if (!register(id, runs.hub)) return void after(durations.agentNetwork);
      this.#store(id, { ...server, runs: { ...runs, isRegistered: true } });
      changed(id);
    };
    after(runs.from - clock.now());
  }

  #store(id: string, server: Server): void {
    this.#put.run(id, JSON.stringify(server));
    this.#servers.set(id, server);
  }
}
