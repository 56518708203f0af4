import { kindPartition } from "../../../core/kernel/object/keys.ts";
import { load, objectIn } from "../../../core/kernel/object/records.ts";
import { isEnded, type Operation } from "../../../core/kernel/saga/operation.ts";
import type { Cluster } from "../../../core/resources/cluster/model.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { withFaults } from "../../../local/faults.ts";
import { wrongInBooks } from "../books.ts";
import { everyPage } from "../pages.ts";
import { seeded } from "../random.ts";
import { openSite, type Site, type SiteOptions } from "../site.ts";
import { late } from "./deadlines.ts";
import { chance, scaled } from "./wishes.ts";
import { Workers } from "./workers.ts";

/**
 * Days of virtual time in which tenants change their clusters all the time, mostly in size, and compete
 * for hosts, while systems outside refuse, stay away, are slow or answer late, and workers are killed.
 */

const minute = 60_000;
/** More clusters than the hosts can serve. */
const most = 7;

export interface ChaosOutcome {
  /** How many of each were accepted. */
  accepted: Record<string, number>;
  refused: number;
  faults: Record<string, number>;
  kills: number;
  /** How many operations ended in which state. */
  operations: Record<string, number>;
  stuck: number;
  /** Steps that did not keep to their times, and operations that did not end. */
  late: string[];
  leaked: string[];
}

const count = (counts: Record<string, number>, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};

/** Has so many changes accepted, waits until all have ended, and deletes what is left. */
export async function chaos(seed: number, changes: number): Promise<ChaosOutcome> {
  const run = await Chaos.open(seed);
  while (run.accepted < changes) await run.event();
  return run.end();
}

class Chaos {
  readonly #chance;
  readonly #site: Site;
  readonly #workers: Workers;
  readonly #resumed = new Set<string>();
  #orders = 0;
  #refused = 0;
  #kills = 0;
  #stuck = 0;
  readonly #accepted: Record<string, number> = {};
  readonly #faults: Record<string, number> = {};
  readonly #late = new Set<string>();

  private constructor(seed: number, site: Site, workers: Workers) {
    this.#chance = chance(seeded(seed));
    this.#site = site;
    this.#workers = workers;
  }

  static async open(seed: number): Promise<Chaos> {
    const workers = new Workers();
    let faulty: SiteOptions["invoke"] = (_, work) => work();
    const site = await openSite({
      // Less often than on a laptop, where nobody waits for days.
      dueEvery: 30_000,
      outside: workers.outside,
      invoke: (step, work) => workers.work(async () => faulty?.(step, work)),
    });
    faulty = withFaults(site.world.faults, site.laptop.clock);
    workers.over(site.laptop);
    await site.admin("POST", "cluster_templates", {
      id: "mixed",
      metadata: { name: "mixed" },
      node_sets: { workers: { host_type: "fc430", size: 2 } },
      allowed_host_types: ["h100"],
    });
    return new Chaos(seed, site, workers);
  }

  get accepted(): number {
    return Object.values(this.#accepted).reduce((sum, n) => sum + n, 0);
  }

  /** A change, and sometimes trouble; then time passes. */
  async event(): Promise<void> {
    const { below } = this.#chance;
    if (below(5) < 2) this.#fault();
    await this.#change();
    if (below(25) === 0) {
      // Not when all is at rest, but when the change is under way.
      await this.#pass(below(60_000));
      this.#workers.kill();
      this.#kills += 1;
    }
    await this.#pass(below(6 * minute));
    await this.#look();
  }

  /** Waits until nothing is under way, with nothing broken any more. */
  async end(): Promise<ChaosOutcome> {
    this.#site.world.faults.clear();
    await this.#untilRest();
    const leaked = await wrongInBooks(this.#site);
    for (const { id } of await this.#clusters()) await this.#site.api("DELETE", `clusters/${id}`);
    await this.#untilRest();
    leaked.push(...this.#site.owned(), ...(await wrongInBooks(this.#site)));
    for (const { id } of await this.#clusters()) leaked.push(`cluster ${id} is there still`);
    const operations: Record<string, number> = {};
    const items = await everyPage(this.#site.laptop.store, {
      index: "g4",
      pk: kindPartition("operation"),
    });
    for (const operation of items.map((item) => objectIn<"operation">(kinds, item))) {
      count(operations, operation.status.state);
      this.#judge(operation);
      if (!isEnded(operation)) this.#late.add(`${operation.id} has not ended`);
    }
    return {
      accepted: this.#accepted,
      refused: this.#refused,
      faults: this.#faults,
      kills: this.#kills,
      operations,
      stuck: this.#stuck,
      late: [...this.#late],
      leaked,
    };
  }

  /** In long strides: what happens in between happens at its time all the same. */
  async #pass(ms: number): Promise<void> {
    const { clock, drained } = this.#site.laptop;
    for (let left = ms; left > 0; left -= minute) {
      await clock.advance(Math.min(left, minute));
      await drained();
    }
  }

  async #untilRest(): Promise<void> {
    // Who waits for hosts does so for a day, and others may wait behind; nobody for ever.
    for (let n = 0; n < 6 * 24 * 7; n++) {
      await this.#pass(10 * minute);
      await this.#look();
      if ((await this.#clusters()).every(({ operation }) => operation === undefined)) break;
    }
    await this.#pass(15 * minute);
  }

  async #change(): Promise<void> {
    const { pick, below } = this.#chance;
    const clusters = await this.#clusters();
    const kept = clusters.filter(({ metadata }) => !metadata.deletion_timestamp);
    if (kept.length < 2 || (kept.length < most && below(6) === 0)) return this.#order();
    const { id, spec, operation } = pick(kept);
    const what = below(20);
    if (what < 14) {
      const { name, node_sets } = scaled(spec.node_sets, this.#chance);
      await this.#ask(name, "PATCH", `clusters/${id}`, { spec: { node_sets } });
    } else if (what < 15 && Object.values(spec.node_sets).some(({ size }) => size > 0)) {
      // Without nodes nothing runs the router, so that no upgrade can be validated.
      await this.#ask("upgrade", "PATCH", `clusters/${id}`, { spec: { version: "4-18-1" } });
    } else if (what < 16) {
      await this.#ask("retry", "POST", `clusters/${id}/retry`);
    } else if (what < 18) {
      await this.#ask("delete", "DELETE", `clusters/${id}`);
    } else if (operation !== undefined) {
      await this.#ask("cancel", "POST", `operations/${operation}/cancel`);
    }
  }

  async #order(): Promise<void> {
    this.#orders += 1;
    const metadata = { name: `c${this.#orders}` };
    const size = 1 + this.#chance.below(3);
    const spec = { template: { id: "mixed" }, node_sets: { workers: { size } } };
    await this.#ask("order", "POST", "clusters", { metadata, spec });
  }

  async #ask(name: string, method: string, path: string, body?: object): Promise<void> {
    const { status, body: said } = await this.#site.api(method, path, body);
    if (status >= 500) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(said)}`);
    if (status === 200) count(this.#accepted, name);
    else this.#refused += 1;
  }

  /** Mostly trouble that passes; a refusal now and then. */
  #fault(): void {
    const { pick, below } = this.#chance;
    const target = pick(["hub", "fabric", "dns", "storage", "worker"] as const);
    const fault = pick([
      "error",
      "error",
      "timeout",
      "crash_before",
      "crash_after",
      "slow",
      "conflict",
    ] as const);
    const status = pick([503, 503, 429, 500, 422, 403]);
    this.#site.world.faults.add({ target, fault, status, count: 1 + below(4) });
    count(this.#faults, `${target} ${fault}`);
  }

  /** What is under way keeps to its times; who is stuck is told to go on, as an administrator does. */
  async #look(): Promise<void> {
    for (const { operation: id } of await this.#clusters()) {
      if (id === undefined) continue;
      const operation = await this.#operation(id);
      if (operation) this.#judge(operation);
      if (operation?.status.state !== "STUCK") continue;
      this.#stuck += 1;
      this.#resumed.add(id);
      await this.#site.api("POST", `operations/${id}/resume`);
    }
  }

  #judge(operation: Operation): void {
    const now = this.#site.laptop.clock.now();
    for (const line of late(operation, now, this.#resumed.has(operation.id))) this.#late.add(line);
  }

  async #clusters(): Promise<Cluster[]> {
    const query = { index: "g4", pk: kindPartition("cluster") } as const;
    const items = await everyPage(this.#site.laptop.store, query);
    return items.map((item) => objectIn<"cluster">(kinds, item));
  }

  async #operation(id: string): Promise<Operation | undefined> {
    return load(this.#site.laptop.deps, "operation", id);
  }
}

/** In one line, for the log of a run. */
export const inOneLine = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([name, n]) => `${name} ${n}`)
    .join(", ");
