import { type Clock, minutes } from "../core/clock.ts";

/** The time from a machine's power-on until it is a node again and all reports have arrived. */
const recovery = minutes(10);

/** When hosts of clusters had no power: a step that waits for their nodes may exceed its deadline then. */
export class DeadHosts {
  readonly #clock: Clock;
  /** By the cluster's id. */
  readonly #times = new Map<string, { from: number; to: number }[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(cluster: string, ms: number): void {
    const from = this.#clock.now();
    const times = this.#times.get(cluster) ?? [];
    this.#times.set(cluster, [...times, { from, to: from + ms + recovery }]);
  }

  /** Whether a cluster had a dead host between these times. */
  met(cluster: string, began: number, ended: number): boolean {
    return (this.#times.get(cluster) ?? []).some(({ from, to }) => from <= ended && began <= to);
  }
}
