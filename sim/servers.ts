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
  /** A hub's discovery image. Its agent registers once, no earlier than `from`. */
  | { system: "discovery"; hub: string; from: number; isRegistered: boolean }
  /** The system that was installed on its disk for this cluster. */
  | { system: "installed"; cluster: string }
  | NetBoot;

interface Server {
  /** When the machine booted; absent while it has booted nothing. */
  boot?: number;
  runs: Running;
  /** The system that an installer wrote on its disk, and whether it has started there. */
  disk?: Installed & { hasStarted?: true };
}

interface ServersOptions {
  /** From `openDatabase`; the caller closes it. */
  database: DatabaseSync;
  /** The simulated clock. */
  clock: Clock;
  machines: Machines;
  /** The hub that serves its discovery image at this URL now. */
  imageOf(url: string): string | undefined;
  /** Whether an image is a ramdisk, which reports to no hub. */
  isRamdisk(url: string): boolean;
  /** Sends a request on the network that a server boots from. Throws when nothing answers. */
  ask(request: Request): Promise<Response>;
  /** Whether DHCP answers a server. */
  hasAddress(server: string): boolean;
  /** Whether a fault holds up this step of a server's network boot. */
  isHeld: (server: string, what: Parameters<Surroundings["isHeld"]>[0]) => boolean;
  /** What a fault makes the server boot instead: a hub's image, or its disk. */
  bootsInstead(server: string): { hub?: string } | undefined;
  /** Registers an agent at the hub; false when it cannot reach the hub. */
  register(server: string, hub: string): boolean;
  /** Called when the server runs something else. */
  changed(server: string): void;
}

const nothing: Running = { system: "none" };

/** The system on a disk, by the mark of who wrote on it last. */
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

/** The servers of a world: each runs only what its controller was set to boot. Durable. */
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

  /** Adds a powered-off server. */
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

  /** Stops the timers. To continue, create the servers anew from the database. */
  stop(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  /** What a server runs; undefined when it does not exist. */
  runs(id: string): Running | undefined {
    return this.#servers.get(id)?.runs;
  }

  /** When a server booted what it runs. */
  bootedAt(id: string): number | undefined {
    return this.#servers.get(id)?.boot;
  }

  /** The current machine of a server. */
  machine(id: string): Machine | undefined {
    return this.#options.machines.get(id);
  }

  /** Marks all drives as written by the cluster's installer and workloads. */
  install(id: string, cluster: string): void {
    const { machines } = this.#options;
    const machine = machines.get(id);
    if (!machine?.drives.every(({ written }) => written === cluster)) machines.write(id, cluster);
  }

  /** Restarts the machine from its operating system. */
  restart(id: string): void {
    const { machines, clock } = this.#options;
    const machine = machines.get(id);
    if (machine) machines.put(restarted(machine, clock.now()));
  }

  /** The installed system itself starts a hub's discovery image, whose agent reports at `from`. */
  reclaim(id: string, hub: string, from: number): void {
    const server = this.#servers.get(id);
    if (server?.runs.system !== "installed") return;
    this.#store(id, { ...server, runs: { system: "discovery", hub, from, isRegistered: false } });
    this.#follow(id);
  }

  /** Starts what the machine has booted. */
  #look(machine: Machine): void {
    const server = this.#servers.get(machine.id);
    if (!server || server.boot === machine.bootedAt) return;
    const { boot: _, ...rest } = server;
    const { bootedAt } = machine;
    const boot = bootedAt !== undefined && { boot: bootedAt };
    this.#change(machine.id, { ...rest, ...boot, runs: this.#found(machine, server) });
  }

  /** Stores the new state of a server. */
  #change(id: string, server: Server): void {
    const disk = server.disk &&
      server.runs.system === "instance" && { disk: { ...server.disk, hasStarted: true as const } };
    this.#store(id, { ...server, ...disk });
    this.#follow(id);
    this.#options.changed(id);
  }

  /** What a machine has booted. Without an image or an address, the firmware boots the disk next. */
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

  /** Continues a network boot, unless the server runs something else by then. */
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

  /** Registers the agent of a discovery image: once per boot, whatever happens to its Agent. */
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
