import { isOfObject, objectIn } from "../../core/kernel/object/records.ts";
import type { StreamRecord } from "../../core/kernel/store/store.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { seeded } from "../../test/support/random.ts";
import { chance } from "../chance.ts";
import type { Counts } from "../counts.ts";
import type { System } from "../system.ts";
import type { Bounds } from "../worlds.ts";
import { Attendant } from "./attendant.ts";
import { FailingServers } from "./failing.ts";
import { Orders } from "./orders.ts";
import { Pools, type Sample } from "./pools.ts";

/** The outcome of a simulation of hot pools. */
export interface HotPoolOutcome {
  /** The orders and the hosts at the time when only orders that wait for hosts remain. */
  orders: Counts;
  hosts: Counts;
  /** The numbers of orders by the time that they waited for hosts. */
  waited: Counts;
  /** The defects of servers, the reasons of quarantines, and the operator's decisions. */
  defects: Counts;
  reasons: Counts;
  /** The number of quarantines of servers without a defect. */
  soundSetAside: number;
  decisions: Counts;
  /** The numbers of power-ons, and of servers that entered a pool. */
  starts: number;
  admitted: number;
  pools: readonly { hub: string; hostType: string; samples: readonly Sample[] }[];
  bounds: Bounds;
  /** Violations: orders that failed or say nothing, pools out of bounds, hosts that were not erased. */
  wrong: readonly string[];
}

interface Told {
  seed: number;
  faults: number;
  hotPool: Bounds;
  failingServers?: number;
}

/** Makes servers fail and be repaired, and follows orders, hosts and pools. */
export class HotPoolRun {
  readonly failing: FailingServers;
  readonly #told: Told;
  readonly #orders = new Orders();
  readonly #pools: Pools;
  readonly #attendant: Attendant;
  readonly #wrong: string[] = [];
  #atRest: Pick<HotPoolOutcome, "orders" | "hosts"> = { orders: {}, hosts: {} };
  #end = () => {};

  constructor(told: Told, system: System, hostTypes: readonly string[]) {
    const { seed, failingServers = 0 } = told;
    const { clock, worlds } = system;
    const draws = chance(seeded(seed + 2));
    this.#told = told;
    this.failing = new FailingServers(clock, worlds, draws, failingServers);
    const store = () => system.slipway.store;
    this.#pools = new Pools({ clock, worlds, store }, hostTypes);
    const ask = (method: string, path: string) => system.administer(method, path);
    this.#attendant = new Attendant({ clock, failing: this.failing, draws, ask });
  }

  begin(): void {
    this.failing.begin();
    this.#end = this.#pools.begin();
  }

  /** Receives a change of the store. */
  see({ key, before, after }: StreamRecord): void {
    const cluster = after ?? before;
    if (cluster && key.pk.startsWith("cluster#") && isOfObject(cluster))
      this.#pools.hold(objectIn<"cluster">(kinds, cluster), after === undefined);
    if (!after) return;
    if (key.pk.startsWith("operation#")) this.#orders.see(objectIn<"operation">(kinds, after));
    if (!key.pk.startsWith("host#")) return;
    const host = objectIn<"host">(kinds, after);
    this.#pools.see(host);
    this.#attendant.see(host);
  }

  isWithinBounds(): boolean {
    return this.#pools.outOfBounds(this.#told.hotPool).length === 0;
  }

  /**
   * Records the violations once only orders that wait for hosts remain, and operations on broken servers. Then repairs
   * the servers, so that all operations can end.
   */
  judge(when: string): void {
    this.#atRest = { orders: this.#orders.byOutcome(), hosts: this.#pools.byState() };
    const { faults, hotPool } = this.#told;
    const failed = faults > 0 ? [] : this.#orders.failed;
    this.#attendant.end();
    this.failing.mendAll();
    const wrong = [...failed, ...this.#orders.silent, ...this.#pools.outOfBounds(hotPool)];
    this.#wrong.push(...wrong.map((line) => `${when}: ${line}`));
  }

  /** Records the last violations, once all clusters are removed. */
  close(): void {
    this.#wrong.push(
      ...this.#pools.outOfBounds(this.#told.hotPool).map((line) => `at the end: ${line}`),
    );
    this.#end();
  }

  outcome(): HotPoolOutcome {
    const { starts, admitted, places, wrong } = this.#pools;
    return {
      ...this.#atRest,
      ...{ starts, admitted, pools: places },
      waited: this.#orders.waitedForHosts(),
      defects: this.failing.counts,
      reasons: this.#attendant.reasons,
      soundSetAside: this.#attendant.sound,
      decisions: this.#attendant.done,
      bounds: this.#told.hotPool,
      wrong: [...this.#wrong, ...wrong],
    };
  }
}
