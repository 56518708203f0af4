import type { DatabaseSync } from "node:sqlite";
import type { Clock, Timer } from "../../core/clock.ts";
import type { Machine } from "../bmc/machine.ts";
import type { Machines } from "../bmc/machines.ts";
import { durations } from "../durations.ts";
import type { LedgerItem } from "../ledger.ts";
import {
  type DpuFault,
  type DpuRuns,
  type DpuState,
  type SimDpu,
  started,
  stepped,
} from "./dpu.ts";
import { dpuItems } from "./ledger.ts";

interface DpusOptions {
  /** From `openDatabase`; the caller closes it. */
  database: DatabaseSync;
  /** The simulated clock. */
  clock: Clock;
  machines: Machines;
  /** Sends a request on the network that DPUs boot from. Throws when nothing answers. */
  ask(request: Request): Promise<Response>;
  isHeld(dpu: SimDpu, what: DpuFault | "address"): boolean;
  /** When the host of this name was switched on; undefined while it is off. */
  hostOnSince(host: string): number | undefined;
}

/** The DPUs of a world: each runs what its controller was set to boot, or the system on its disk. Durable. */
export class Dpus {
  readonly #options: DpusOptions;
  readonly #put;
  readonly #known = new Map<string, SimDpu>();
  readonly #states = new Map<string, DpuState>();
  readonly #byMac = new Map<string, SimDpu>();
  readonly #timers = new Map<string, Timer>();
  readonly #listeners = new Set<() => void>();
  #changes = 0;
  #unwatch: (() => void) | undefined;

  constructor(options: DpusOptions) {
    const { database } = options;
    database.exec(
      "CREATE TABLE IF NOT EXISTS dpus (id TEXT PRIMARY KEY, dpu TEXT NOT NULL, state TEXT NOT NULL) STRICT",
    );
    this.#options = options;
    this.#put = database.prepare("INSERT OR REPLACE INTO dpus VALUES (?, ?, ?)");
    // The columns hold only values that this class has written.
    for (const row of database.prepare("SELECT dpu, state FROM dpus ORDER BY rowid").all()) {
      const dpu = JSON.parse(String(row.dpu)) as SimDpu;
      this.#know(dpu);
      this.#states.set(dpu.id, JSON.parse(String(row.state)) as DpuState);
    }
  }

  list(): SimDpu[] {
    return [...this.#known.values()];
  }

  get(id: string): SimDpu | undefined {
    return this.#known.get(id);
  }

  /** The DPU before a NIC; undefined for a NIC that is cabled to the switch. */
  before(mac: string): SimDpu | undefined {
    return this.#byMac.get(mac);
  }

  #know(dpu: SimDpu): void {
    this.#known.set(dpu.id, dpu);
    for (const { mac } of dpu.ports) this.#byMac.set(mac, dpu);
  }

  /** What a DPU runs, and the network that it has applied. */
  state(id: string): DpuState {
    return this.#states.get(id) ?? { runs: { system: "none" } };
  }

  /** The parts of tenants' networks on DPUs. */
  ledger(): LedgerItem[] {
    return this.list().flatMap((dpu) => dpuItems(dpu, this.state(dpu.id)));
  }

  /** Adds a DPU that is switched off. */
  add(dpu: SimDpu): void {
    this.#know(dpu);
    this.#store(dpu, { runs: { system: "none" } });
  }

  /** Whether a DPU relays the DHCP requests of its host. */
  relays(dpu: SimDpu): boolean {
    return !this.#options.isHeld(dpu, "relay");
  }

  /** The number of changes that may affect packets, since the start. */
  get changes(): number {
    return this.#changes;
  }

  /** Calls `listener` whenever a DPU may handle packets differently. */
  watch(listener: () => void): void {
    this.#listeners.add(listener);
  }

  start(): void {
    const { machines } = this.#options;
    this.#unwatch = machines.watch((machine) => this.#look(machine));
    for (const dpu of this.#known.values()) {
      const machine = machines.get(dpu.id);
      if (machine) this.#look(machine);
      this.#follow(dpu);
    }
  }

  /** Stops the timers. To continue, create the DPUs anew from the database. */
  stop(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  /** Starts what the DPU's machine has booted. */
  #look(machine: Machine): void {
    const dpu = this.#known.get(machine.id);
    const state = this.state(machine.id);
    if (!dpu || state.boot === machine.bootedAt) return;
    const { boot: _, ...rest } = state;
    const { bootedAt } = machine;
    this.#store(dpu, {
      ...rest,
      ...(bootedAt !== undefined && { boot: bootedAt }),
      runs: this.#found(dpu, machine, state),
    });
    this.#follow(dpu);
  }

  #found(dpu: SimDpu, { booted, bootedAt = 0 }: Machine, { disk }: DpuState): DpuRuns {
    if (!booted) return { system: "none" };
    const { address, noAddress } = durations.netBoot;
    const isAsked = booted.from === "http";
    if (isAsked && !this.#options.isHeld(dpu, "address"))
      return { system: "firmware", url: booted.url, at: bootedAt + address };
    // Without an address the firmware boots from the disk.
    return disk ? started(bootedAt + (isAsked ? noAddress : 0)) : { system: "none" };
  }

  #follow(dpu: SimDpu): void {
    const { clock } = this.#options;
    this.#timers.get(dpu.id)?.cancel();
    this.#timers.delete(dpu.id);
    const { runs } = this.state(dpu.id);
    if (!("at" in runs) || !this.#unwatch) return;
    const timer = clock.after(Math.max(0, runs.at - clock.now()), () => void this.#goOn(dpu));
    this.#timers.set(dpu.id, timer);
  }

  async #goOn(dpu: SimDpu): Promise<void> {
    const { clock, ask, isHeld, hostOnSince } = this.#options;
    const before = this.state(dpu.id);
    const after = await stepped(before, {
      ...{ dpu, ask, now: clock.now(), address: dpu.address },
      isHeld: (what) => isHeld(dpu, what),
      hostOnSince: () => hostOnSince(dpu.host),
    });
    // The DPU was switched off or booted something else meanwhile, or the world has stopped.
    if (this.state(dpu.id) !== before || !this.#unwatch) return;
    this.#store(dpu, after);
    this.#follow(dpu);
  }

  #store(dpu: SimDpu, state: DpuState): void {
    const before = this.#states.get(dpu.id);
    this.#states.set(dpu.id, state);
    // The time of the next poll is not stored: after a restart of the world the agent polls at
    // once.
    if (before && isOnlyLater(before, state)) return;
    this.#put.run(dpu.id, JSON.stringify(dpu), JSON.stringify(state));
    if (before?.applied === state.applied && before?.runs.system === state.runs.system) return;
    this.#changes += 1;
    for (const listener of this.#listeners) listener();
  }
}

/** Whether only the time of the agent's next poll has changed. */
function isOnlyLater(before: DpuState, { runs, ...after }: DpuState): boolean {
  const { runs: ran, ...was } = before;
  return (
    ran.system === "agent" &&
    runs.system === "agent" &&
    isShallowEqual({ ...was }, { ...after }) &&
    isShallowEqual({ ...ran, at: 0 }, { ...runs, at: 0 })
  );
}

function isShallowEqual(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
