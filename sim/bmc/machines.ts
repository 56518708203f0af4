import type { DatabaseSync } from "node:sqlite";
import type { Clock, Timer } from "../../core/clock.ts";
import { durations } from "../durations.ts";
import type { DriveFault, MachineDrive } from "./hardware.ts";
import { at, type Machine, nextChange } from "./machine.ts";

/** The machines of a world, which change as simulated time passes. Durable. */
export class Machines {
  readonly #clock: Clock;
  readonly #isHeld: (machine: Machine) => boolean;
  readonly #put;
  /** The machines as stored, by their ids. */
  readonly #known = new Map<string, Machine>();
  /** The ids, by the hosts of their controllers. */
  readonly #controllers = new Map<string, string>();
  readonly #timers = new Map<string, Timer>();
  readonly #listeners = new Set<(machine: Machine) => void>();

  /** `isHeld` says whether a fault keeps a machine's power off. */
  constructor(database: DatabaseSync, clock: Clock, isHeld = (_: Machine) => false) {
    database.exec(`CREATE TABLE IF NOT EXISTS bmc_machines (
      id TEXT PRIMARY KEY, controller TEXT NOT NULL UNIQUE, body TEXT NOT NULL
    ) STRICT`);
    this.#clock = clock;
    this.#isHeld = isHeld;
    this.#put = database.prepare(
      "INSERT INTO bmc_machines VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body",
    );
    // Safe: only this class writes the column.
    for (const { body } of database.prepare("SELECT body FROM bmc_machines ORDER BY id").all())
      this.#know(JSON.parse(String(body)));
    for (const machine of this.list()) this.#arm(machine);
  }

  /** A machine by its id or by its controller's host, as it is now. */
  get(name: string): Machine | undefined {
    const known = this.#known.get(this.#controllers.get(name) ?? name);
    return known && this.#atNow(known);
  }

  list(): Machine[] {
    return [...this.#known.keys()].sort().flatMap((id) => this.get(id) ?? []);
  }

  #know(machine: Machine): void {
    this.#known.set(machine.id, machine);
    this.#controllers.set(machine.controller, machine.id);
  }

  put(machine: Machine): void {
    this.#put.run(machine.id, machine.controller, JSON.stringify(machine));
    this.#know(machine);
    this.#arm(machine);
    for (const listener of this.#listeners) listener(machine);
  }

  /** Marks every drive of a machine as written by somebody. */
  write(id: string, by: string): void {
    this.#changeDrives(id, (drive) => ({ ...drive, written: by }));
  }

  /** Sets or clears the fault of erasures of a machine's drive. */
  setDriveFault(id: string, drive: string, fault?: DriveFault): void {
    this.#changeDrives(id, (each) => {
      if (each.id !== drive) return each;
      const { fault: _, ...sound } = each;
      return fault ? { ...sound, fault } : sound;
    });
  }

  #changeDrives(id: string, change: (drive: MachineDrive) => MachineDrive): void {
    const machine = this.get(id);
    if (machine) this.put({ ...machine, drives: machine.drives.map(change) });
  }

  /** Calls `listener` with each changed machine; the returned function unsubscribes. */
  watch(listener: (machine: Machine) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Stops the timers. To continue, create the machines anew from the database. */
  stop(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  #atNow(machine: Machine): Machine {
    const now = this.#clock.now();
    const { power, until } = machine;
    const isDue = power === "PoweringOn" && until !== undefined && until <= now;
    return at(
      isDue && this.#isHeld(machine) ? { ...machine, until: now + durations.held } : machine,
      now,
    );
  }

  #arm(machine: Machine): void {
    this.#timers.get(machine.id)?.cancel();
    this.#timers.delete(machine.id);
    const next = nextChange(machine);
    if (next === undefined) return;
    const timer = this.#clock.after(Math.max(0, next - this.#clock.now()), () => {
      const now = this.get(machine.id);
      if (now) this.put(now);
    });
    this.#timers.set(machine.id, timer);
  }
}
