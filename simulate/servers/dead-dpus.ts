import { type Clock, minutes } from "../../core/clock.ts";
import type { SimDpu } from "../../sim/dpu/dpu.ts";
import type { World } from "../../sim/world.ts";
import type { Chance } from "../chance.ts";
import { type Counts, count } from "../counts.ts";
import type { MachineFault } from "./trouble.ts";

/** DPUs that die in use, and stay dead until all are repaired. */

const silent: MachineFault = { operation: "agent", fault: "hold" };

const deaths: Readonly<Record<string, MachineFault[]>> = {
  "its system is silent": [silent],
  "its system is silent, and its controller too": [silent, { fault: "crash_before", count: 0 }],
  "it reports no applied version": [{ operation: "applied", fault: "hold" }],
};

export class DeadDpus {
  readonly counts: Counts = {};
  /** The time since which each DPU is dead, by the name of its host. */
  readonly since = new Map<string, number>();
  readonly #clock: Clock;
  readonly #world: World;
  #isOver = false;

  constructor(clock: Clock, world: World) {
    this.#clock = clock;
    this.#world = world;
  }

  /** Makes this share of all DPUs die, each at a time within `within`. */
  begin({ below, pick }: Chance, rate: number, within: number): void {
    const living = this.#world.dpus.list();
    for (let left = Math.round(living.length * rate); left > 0; left--) {
      const [dpu] = living.splice(below(living.length), 1);
      const name = pick(Object.keys(deaths));
      if (dpu) this.#clock.after(minutes(1) + below(within), () => this.#die(dpu, name));
    }
  }

  mendAll(): void {
    this.#isOver = true;
    this.#world.faults.clear(({ target }) => target.startsWith("bmc:"));
  }

  #die({ name, host }: SimDpu, death: string): void {
    if (this.#isOver) return;
    count(this.counts, death);
    if (!this.since.has(host)) this.since.set(host, this.#clock.now());
    for (const fault of deaths[death] ?? [])
      this.#world.faults.add({ target: `bmc:${name}`, ...fault });
  }
}
