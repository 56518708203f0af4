import { hours, minutes } from "../core/clock.ts";
import { ticketPartition } from "../core/kernel/object/keys.ts";
import type { Operation } from "../core/kernel/saga/operation.ts";
import { ticketIn, waiterIn } from "../core/placement/queues/tickets.ts";
import { systems } from "../statemachines/steps/systems.ts";
import { wrongInBooks } from "../test/support/books.ts";
import type { Settings } from "./arguments.ts";
import { leftBehind, missingClusters } from "./clusters.ts";
import { count } from "./counts.ts";
import { wrongHosts } from "./hosts.ts";
import { HotPoolRun } from "./hot-pool/run.ts";
import { isFailing, type Outcome } from "./outcome.ts";
import { type Arrival, planOf } from "./plan.ts";
import { Requests } from "./requests.ts";
import { ServersRun } from "./servers/run.ts";
import { bareMetalSize, hotPoolSize, usualSize } from "./sizes.ts";
import { openSystem, type System } from "./system.ts";
import { Trace } from "./trace.ts";
import { beginTrouble } from "./trouble.ts";
import { type Stuck, Watch } from "./watch.ts";
import type { Size } from "./worlds.ts";

interface Options {
  /** Called during the run, with the hours that have passed. */
  tell?: (outcome: Outcome, hours: number) => void;
  size?: Size;
  /** Once aborted, no further orders arrive, and the simulation ends as if those were all. */
  signal?: Pick<AbortSignal, "aborted">;
}

/** After so many orders, all operations end, so that everything can be checked. */
const chapter = 100;
/**
 * The factor in orders between two full checks. They read all stored data, so checks after each chapter would take
 * longer each time.
 */
const growth = 1.25;
/** The time until a person resumes a stuck operation. */
const resumesAfter = minutes(10);
/** How long tenants wait for hosts and numbers without new orders, before they delete. */
const patience = hours(3);
/** The time for the hot pools to fill before the first order, from unknown servers. */
const filling = hours(1);
/** The time limit until no operation runs. */
const longest = hours(7 * 24);

/** The time limit for pools to return within their bounds, beside broken servers. */
const refilling = hours(6);

/** Runs a simulation to its end, or to the end of the first chapter with a failure. */
export async function simulate(settings: Settings, options: Options = {}): Promise<Outcome> {
  const { seed, faults, hotPool } = settings;
  const usual = settings.bareMetal ? bareMetalSize : hotPool ? hotPoolSize(hotPool) : usualSize;
  const { tell = () => {}, size = usual, signal } = options;
  const system = await openSystem({ seed, faults, size });
  try {
    return await new Simulation(settings, system, tell, size).run(signal);
  } finally {
    await system.stop();
  }
}

class Simulation {
  readonly #settings: Settings;
  readonly #system: System;
  readonly #tell: Required<Options>["tell"];
  readonly #requests: Requests;
  readonly #watch: Watch;
  readonly #trace = new Trace();
  readonly #hotPool: HotPoolRun | undefined;
  readonly #servers: ServersRun | undefined;
  readonly #stuck: Stuck[] = [];
  readonly #lost: string[] = [];
  readonly #leaked: string[] = [];
  readonly #began: number;
  readonly #cpu = process.cpuUsage();
  #orders = 0;
  /** The number of orders at the last full check. */
  #closed = 0;

  constructor(
    settings: Settings,
    system: System,
    tell: Required<Options>["tell"],
    { hostsAtHub, servers }: Size,
  ) {
    this.#settings = settings;
    this.#system = system;
    this.#tell = tell;
    this.#requests = new Requests(system);
    const { clock } = system;
    this.#began = clock.now();
    const { hotPool } = settings;
    this.#hotPool =
      hotPool && new HotPoolRun({ ...settings, hotPool }, system, Object.keys(hostsAtHub));
    const { seed, bareMetal, hours: inHours } = settings;
    const told = { seed, deadDpus: bareMetal?.deadDpus ?? 0, within: hours(inHours) };
    this.#servers = servers && new ServersRun(told, system, this.#requests);
    const isFailing = (id: string) =>
      this.#hotPool?.failing.has(id) === true || this.#servers?.isFailing(id) === true;
    const { refusals, deadHosts } = system;
    const known = { refusals, deadHosts, isFailing };
    this.#watch = new Watch(clock, known, this.#trace, (stuck) => this.#onStuck(stuck));
    system.onWritten((writes) => this.#watch.wrote(writes));
    system.onRelayed((record) => {
      this.#watch.see(record);
      this.#hotPool?.see(record);
      this.#servers?.see(record);
    });
  }

  async run(signal: Options["signal"]): Promise<Outcome> {
    const { dice } = this.#system;
    if (this.#hotPool) {
      this.#hotPool.begin();
      await this.#pass(filling);
    }
    await this.#servers?.begin((ms) => this.#pass(ms));
    dice.areOn = true;
    // The plan's own time pauses while operations come to an end.
    let at = 0;
    let last = this.#settings.orders;
    for (const arrival of planOf(this.#settings, this.#servers !== undefined)) {
      if (signal?.aborted) last = Math.min(last, this.#orders);
      // A shorter plan has the same first orders.
      if (arrival.order >= last) continue;
      if (isOrder(arrival) && this.#isChapter()) {
        await this.#rest();
        if (isFailing(this.#outcome())) return this.#outcome();
        dice.areOn = true;
      }
      await this.#pass(arrival.at - at);
      at = arrival.at;
      await this.#arrive(arrival);
    }
    if (this.#hotPool) {
      await this.#stand();
      this.#hotPool.judge("when nothing but orders that wait for hosts was under way");
    }
    await this.#deleteAll();
    await this.#requests.bringBack();
    if (this.#servers) await this.#endServers(this.#servers);
    await this.#rest({ isEnd: true });
    this.#hotPool?.close();
    this.#servers?.close();
    this.#leaked.push(...(await leftBehind(this.#system)));
    return this.#outcome();
  }

  /** Deletes all servers while DPUs are dead; then repairs them, and deletes the networks. */
  async #endServers(servers: ServersRun): Promise<void> {
    await this.#rest();
    await servers.allocations.deleteAll();
    await servers.meetDead(() => this.#rest());
    await servers.mend(() => this.#rest());
    await servers.requests.deleteNetworks(() => this.#rest());
  }

  /** Whether all operations must end before the next order; a rush at hot pools is not interrupted. */
  #isChapter(): boolean {
    return !this.#hotPool && this.#orders > 0 && this.#orders % chapter === 0;
  }

  async #arrive(arrival: Arrival): Promise<void> {
    switch (arrival.what) {
      case "order":
        this.#orders += 1;
        await this.#requests.order(arrival, arrival.tenant);
        if (this.#orders % 20 === 0) this.#report();
        return;
      case "change":
        return this.#requests.change(arrival, arrival.change);
      case "host":
        return this.#requests.host(arrival, arrival.change);
      case "trouble":
        return beginTrouble(this.#system, arrival.trouble, arrival.draw);
      case "server":
        this.#orders += 1;
        await this.#servers?.arrive(arrival);
        if (this.#orders % 20 === 0) this.#report();
        return;
      default:
        return this.#servers?.arrive(arrival);
    }
  }

  /** Stops all faults except broken servers. */
  #calm(): void {
    const { dice, outages, worlds } = this.#system;
    dice.areOn = false;
    outages.end();
    for (const { world } of worlds.sites)
      world.faults.clear(({ target }) => !target.startsWith("bmc:"));
  }

  /**
   * Waits without new requests until only orders that wait for hosts remain, and operations on broken servers, of which
   * a silent one takes up to a day. Then the pools have some hours to return within their bounds, since each counts on
   * a broken server until it has been silent for too long.
   */
  async #stand(): Promise<void> {
    this.#calm();
    const { clock } = this.#system;
    const began = clock.now();
    let left: number | undefined;
    const waits = (operation: Operation) =>
      Object.values(operation.steps).some(
        ({ state, system }) => state === "WAITING" && system === systems.placement.name,
      );
    while (clock.now() - began < longest) {
      await this.#pass(minutes(10));
      this.#watch.judge();
      const isLeft = (each: Operation) =>
        waits(each) || this.#hotPool?.failing.has(each.spec.target.id) === true;
      if ([...this.#watch.open.values()].every(isLeft)) left ??= clock.now();
      if (left === undefined) continue;
      if (this.#hotPool?.isWithinBounds() || clock.now() - left > refilling) return;
    }
  }

  /** Stops all faults, and waits without new requests until no operation runs. */
  async #rest({ isEnd = false } = {}): Promise<void> {
    const { clock } = this.#system;
    this.#calm();
    this.#servers?.rest(true);
    const began = clock.now();
    const waited = () => clock.now() - began;
    while (waited() < longest) {
      await this.#pass(minutes(10));
      this.#watch.judge();
      if (this.#watch.open.size === 0) break;
      if (waited() > patience) await this.#giveUp();
      for (const { id, metadata, status } of this.#watch.open.values())
        if (status.state === "STUCK") {
          this.#watch.resumes(id);
          const known = this.#stuck.findLast((stuck) => stuck.id === id);
          await this.#goOn(known ?? { id, tenant: metadata.tenant });
        }
    }
    await this.#pass(minutes(20));
    await clock.until(this.#system.slipway.drained());
    for (const { id, spec, status } of this.#watch.open.values())
      this.#lost.push(`${spec.saga} ${id} is ${status.state} still`);
    this.#lost.push(
      ...(await missingClusters(this.#system, this.#requests)),
      ...((await this.#servers?.requests.missing()) ?? []),
      ...(await wrongHosts(this.#system.slipway, isEnd)),
    );
    if (isEnd || this.#orders >= growth * this.#closed) {
      this.#leaked.push(...(await this.#wrongInBooks()));
      this.#closed = this.#orders;
    }
    this.#servers?.rest(false);
    this.#report();
  }

  /** Deletes, as their tenants, orders that wait in queues. */
  async #giveUp(): Promise<void> {
    const tickets = this.#system.slipway.store.items(ticketPartition(""));
    const queued = new Set(tickets.map((item) => waiterIn(ticketIn(item))));
    const open = [...this.#watch.open.values()].filter(({ id }) => queued.has(id));
    const waiting = new Set<string>(open.map(({ spec }) => spec.target.id));
    for (const [order, { id, isDeleted }] of this.#requests.clusters)
      if (waiting.has(id) && !isDeleted) await this.#requests.change(deletion(order), "delete");
    await this.#servers?.requests.deleteServers((id) => waiting.has(id));
  }

  async #deleteAll(): Promise<void> {
    for (const [order, { isDeleted }] of this.#requests.clusters)
      if (!isDeleted) await this.#requests.change(deletion(order), "delete");
    await this.#servers?.requests.deleteServers();
  }

  #onStuck(stuck: Stuck): void {
    this.#stuck.push(stuck);
    const { clock } = this.#system;
    clock.after(resumesAfter, () => {
      this.#watch.resumes(stuck.id);
      // Runs in the background; #rest retries the operations that are still stuck.
      void this.#goOn(stuck);
    });
  }

  /** A person's action on a stuck operation: resumes it, or ends what it would wait for. */
  async #goOn({ id, tenant, inVain }: Pick<Stuck, "id" | "tenant" | "inVain">): Promise<void> {
    if (inVain === undefined) await this.#requests.resume(tenant, id);
    else await this.#servers?.requests.deleteServers((server) => server === inVain);
  }

  #pass(ms: number): Promise<void> {
    return this.#system.clock.advance(ms);
  }

  #wrongInBooks(): Promise<string[]> {
    const { slipway, worlds, secrets } = this.#system;
    return wrongInBooks({ laptop: slipway, world: worlds, secrets });
  }

  #report(): void {
    const { clock } = this.#system;
    this.#tell(this.#outcome(), (clock.now() - this.#began) / hours(1));
  }

  #outcome(): Outcome {
    const { user, system } = process.cpuUsage(this.#cpu);
    const { accepted, refused, broken } = this.#requests;
    const { ended, failures, waits, late } = this.#watch;
    const { dice, outages } = this.#system;
    const stuck: Outcome["stuck"] = {};
    const unexpected: Outcome["unexpected"] = {};
    for (const { why, isExpected } of this.#stuck) count(isExpected ? stuck : unexpected, why);
    return {
      orders: this.#orders,
      ...{ accepted, refused, ended, failures, waits, stuck, unexpected },
      faults: dice.happened,
      outages: outages.met,
      lost: this.#lost,
      leaked: this.#leaked,
      late: [...late],
      broken,
      ...(this.#hotPool && { hotPool: this.#hotPool.outcome() }),
      ...(this.#servers && { servers: this.#servers.outcome() }),
      cpuSeconds: (user + system) / 1e6,
      trace: this.#trace.digest(),
    };
  }
}

const isOrder = ({ what }: Arrival): boolean => what === "order" || what === "server";

const deletion = (order: number): Arrival => ({
  ...{ at: 0, order, draw: 0, what: "change", change: "delete" },
});
