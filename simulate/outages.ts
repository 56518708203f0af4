import type { Clock } from "../core/clock.ts";
import { Disconnected } from "../sim/faulty.ts";
import { type Counts, count } from "./counts.ts";
import type { SystemName } from "./worlds.ts";

/** Systems that answer nobody for a while. */
export class Outages {
  /** How many calls came to a system that was unreachable. */
  readonly met: Counts = {};
  readonly #clock: Clock;
  /** Until when, by system and instance. */
  readonly #until = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(system: SystemName, instance: string, ms: number): void {
    this.#until.set(`${system} ${instance}`, this.#clock.now() + ms);
  }

  /** All systems are back. */
  end(): void {
    this.#until.clear();
  }

  isAway(system: SystemName, instance: string): boolean {
    return this.#clock.now() < (this.#until.get(`${system} ${instance}`) ?? 0);
  }

  /** Throws what a client sees of a system that is unreachable. */
  refuse(system: SystemName, instance: string): void {
    if (!this.isAway(system, instance)) return;
    count(this.met, system);
    throw new Disconnected();
  }
}
