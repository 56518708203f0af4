import { type Clock, minutes } from "../core/clock.ts";

/** How long after its power is back a machine is a node again, and all have heard of it. */
const recovery = minutes(10);

/** When a host of a cluster had no power: what waits for its nodes may run out of time then. */
export class DeadHosts {
  readonly #clock: Clock;
  /** By the id of the cluster. */
  readonly #times = new Map<string, { from: number; to: number }[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(cluster: string, ms: number): void {
    const from = this.#clock.now();
    const times = this.#times.get(cluster) ?? [];
    this.#times.set(cluster, [...times, { from, to: from + ms + recovery }]);
  }

  /** Whether a cluster had one at some time between these. */
  met(cluster: string, began: number, ended: number): boolean {
    return (this.#times.get(cluster) ?? []).some(({ from, to }) => from <= ended && began <= to);
  }
}
