import type { Clock } from "../../core/clock.ts";
import type { HostId } from "../../core/id.ts";
import { type Agent, read } from "../../sim/operators/objects.ts";
import type { Worlds } from "../../simulate/worlds.ts";

/**
 * Records when the addresses of agents change. A fabric's time for a cluster's ports varies: a switch makes one change
 * at a time, and simultaneous orders share switches.
 */
export class Addresses {
  /** The changes of each agent, by its host. */
  readonly #changes = new Map<string, { addresses: string; times: number[] }>();

  constructor(clock: Clock, worlds: Worlds) {
    for (const hub of worlds.hubs())
      hub.cluster.watch("Agent", ({ object }) => {
        const { metadata, status } = read<Agent>(object);
        const addresses = JSON.stringify(status?.inventory?.interfaces ?? []);
        const known = this.#changes.get(metadata.name);
        if (!known) this.#changes.set(metadata.name, { addresses, times: [] });
        else if (known.addresses !== addresses) {
          known.addresses = addresses;
          known.times.push(clock.now());
        }
      });
  }

  /** The last change of these hosts' addresses not later than `until`, in milliseconds since the epoch. */
  of(hosts: readonly HostId[], until: number): number | undefined {
    const times = hosts.flatMap((host) => this.#changes.get(host)?.times ?? []);
    return times
      .filter((time) => time <= until)
      .toSorted((a, b) => a - b)
      .at(-1);
  }
}
