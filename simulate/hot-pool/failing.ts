import { type Clock, hours } from "../../core/clock.ts";
import type { FaultInput } from "../../sim/faults.ts";
import type { Host } from "../../sim/host.ts";
import type { Chance } from "../chance.ts";
import { type Counts, count } from "../counts.ts";
import type { SiteWorld, Worlds } from "../worlds.ts";

/** Defective servers: some from the start, and some from a time within the first hours. */

/** A defect, as faults of the server's controller. `another` is the name of another server. */
type Defect = (another: string) => Omit<FaultInput, "target">[];

const always = 0;
const held =
  (operation: string): Defect =>
  () => [{ operation, fault: "hold" }];

/** The defects, with their relative frequencies. */
const defects: Readonly<Record<string, { weight: number; faults: Defect }>> = {
  "its controller does not answer": {
    weight: 2,
    faults: () => [{ fault: "timeout", count: always }],
  },
  "its controller refuses all changes": {
    weight: 2,
    faults: () =>
      ["POST", "PATCH"].map((operation) => ({ operation, fault: "error", count: always })),
  },
  "its controller says that it is done, and does nothing": {
    weight: 2,
    faults: () =>
      ["POST", "PATCH"].map((operation) => ({ operation, fault: "ignore", count: always })),
  },
  "its power does not come": { weight: 2, faults: held("power") },
  "it boots its disk": {
    weight: 2,
    faults: () => [{ operation: "boot", fault: "error", count: always }],
  },
  "it boots its disk once": {
    weight: 2,
    faults: () => [{ operation: "boot", fault: "error", count: 1 }],
  },
  "its agent reports the NICs of another": {
    weight: 2,
    faults: (another) => [{ operation: `mac ${another}`, fault: "error", count: always }],
  },
  "its drives refuse to be erased": { weight: 1, faults: held("wipe refuses") },
  "the erasure of its drives fails": { weight: 1, faults: held("wipe fails") },
  "its drives say that they are erased, and are not": { weight: 1, faults: held("wipe lies") },
  "its controller names itself by another authority": { weight: 1, faults: held("links foreign") },
  "its controller names no task": { weight: 1, faults: held("tasks untold") },
};

/** When the last server breaks, after the start. */
const lastBreaks = hours(3);

export class FailingServers {
  /** The number of servers by defect. */
  readonly counts: Counts = {};
  readonly #clock: Clock;
  readonly #servers: readonly { site: SiteWorld; host: Host }[];
  readonly #chance: Chance;
  readonly #rate: number;
  readonly #broken = new Set<string>();
  #isOver = false;

  /** `rate`: the share of servers with a defect. */
  constructor(clock: Clock, worlds: Pick<Worlds, "hosts">, draws: Chance, rate: number) {
    this.#clock = clock;
    this.#servers = worlds.hosts().filter(({ host }) => host.server);
    this.#chance = draws;
    this.#rate = rate;
  }

  /** Makes servers break, half of them at once. */
  begin(): void {
    const { below, oneIn, pick, weighed } = this.#chance;
    const sound = [...this.#servers];
    const count = Math.round(sound.length * this.#rate);
    const weights = Object.fromEntries(
      Object.entries(defects).map(([name, { weight }]) => [name, weight]),
    );
    for (let n = 0; n < count; n++) {
      const [server] = sound.splice(below(sound.length), 1);
      if (!server) return;
      const others = this.#servers.filter(
        (other) => other !== server && other.host.hub === server.host.hub,
      );
      const another = pick(others).host.name;
      const name = weighed(weights);
      const after = oneIn(2) ? 0 : below(lastBreaks);
      this.#clock.after(after, () => this.#break(server, name, another));
    }
  }

  /** Whether a server has or had a defect. */
  has(host: string): boolean {
    return this.#broken.has(host);
  }

  /** Repairs a server. */
  mend(id: string): void {
    const server = this.#servers.find(({ host }) => host.id === id);
    server?.site.world.faults.clear(({ target }) => target === targetOf(server.host));
  }

  /** Repairs all servers, and stops further defects. */
  mendAll(): void {
    this.#isOver = true;
    for (const { host } of this.#servers) this.mend(host.id);
  }

  #break({ site, host }: { site: SiteWorld; host: Host }, name: string, another: string): void {
    if (this.#isOver) return;
    count(this.counts, name);
    this.#broken.add(host.id);
    for (const fault of defects[name]?.faults(another) ?? [])
      site.world.faults.add({ target: targetOf(host), ...fault });
  }
}

const targetOf = ({ name }: Host): string => `bmc:${name}`;
