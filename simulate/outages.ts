import type { Clock } from "../core/clock.ts";
import { Disconnected } from "../sim/faulty.ts";
import { type Counts, count } from "./counts.ts";
import type { SystemName } from "./worlds.ts";

/** Systems that are unreachable for some time. */
export class Outages {
  /** The numbers of calls to unreachable systems. */
  readonly met: Counts = {};
  readonly #clock: Clock;
  /** The ends of outages, by system and instance. */
  readonly #until = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(system: SystemName, instance: string, ms: number): void {
    this.#until.set(`${system} ${instance}`, this.#clock.now() + ms);
  }

  /** Ends all outages. */
  end(): void {
    this.#until.clear();
  }

  isAway(system: SystemName, instance: string): boolean {
    return this.#clock.now() < (this.#until.get(`${system} ${instance}`) ?? 0);
  }

  /** Throws a client's error when the system is unreachable. */
  refuse(system: SystemName, instance: string): void {
    if (!this.isAway(system, instance)) return;
    count(this.met, system);
    throw new Disconnected();
  }
}
