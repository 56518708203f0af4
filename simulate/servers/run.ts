import { minutes } from "../../core/clock.ts";
import { isOfObject, objectIn } from "../../core/kernel/object/records.ts";
import type { StreamRecord } from "../../core/kernel/store/store.ts";
import type { Host } from "../../core/placement/pool/host.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { seeded } from "../../test/support/random.ts";
import { type Chance, chance } from "../chance.ts";
import { type Counts, count, pattern } from "../counts.ts";
import type { Requests } from "../requests.ts";
import type { System } from "../system.ts";
import { Allocations } from "./allocations.ts";
import { DeadDpus } from "./dead-dpus.ts";
import { type Sort, sorts } from "./hardware.ts";
import { Judge } from "./judge.ts";
import { KeptJudge } from "./kept-judge.ts";
import { offerServers } from "./offers.ts";
import type { ServerArrival } from "./plan.ts";
import { ServerRequests } from "./requests.ts";
import { Technician } from "./technician.ts";
import { MachineTroubles } from "./trouble.ts";

/** What came of the servers that tenants ordered whole. */
export interface ServersOutcome {
  lives: number;
  /** Servers that were ordered beside them, to find dead DPUs. */
  searches: number;
  /** By the way in which DPUs died, and why hosts were quarantined. */
  dead: Counts;
  reasons: Counts;
  /** What a person did for quarantined hosts. */
  repairs: Counts;
  /** How many moments were looked at, and how many packets arrived where they may. */
  moments: number;
  arrived: number;
  /** How many packets from outside did. */
  cameIn: number;
  unwiped: readonly string[];
  crossed: readonly string[];
  /** Servers of somebody else that something was done to. */
  touched: readonly string[];
  /** How many hosts went to those for whom they were kept, and what became of kept ones that should not. */
  taken: number;
  notKept: readonly string[];
  /** Hosts that did not end as they should. */
  wrong: readonly string[];
}

interface Told {
  seed: number;
  /** The milliseconds in which the orders arrive. */
  within: number;
  /** What part of the DPUs dies. */
  deadDpus: number;
}

/** How often servers are ordered to find what is dead. */
const mostRounds = 3;

/** Follows servers that tenants order whole, with trouble of machines and a person who looks after them. */
export class ServersRun {
  readonly requests: ServerRequests;
  readonly allocations: Allocations;
  readonly #system: System;
  readonly #told: Told;
  readonly #judge: Judge;
  readonly #keptJudge: KeptJudge;
  readonly #troubles: MachineTroubles;
  readonly #dead: DeadDpus;
  readonly #technician: Technician;
  readonly #draws: Chance;
  readonly #reasons: Counts = {};
  readonly #wrong: string[] = [];
  /** The hosts as they were last seen, and the names of those that each object had ever. */
  readonly #hosts = new Map<string, Host>();
  readonly #hostsOf = new Map<string, Set<string>>();
  /** Since when each host is quarantined. */
  readonly #known = new Map<string, string>();

  constructor(told: Told, system: System, requests: Requests) {
    const { clock, worlds } = system;
    const world = worlds.sites[0]?.world;
    if (!world) throw new Error("there is no site");
    this.#system = system;
    this.#told = told;
    this.requests = new ServerRequests(system, requests);
    this.allocations = new Allocations(requests);
    this.#judge = new Judge(system);
    this.#keptJudge = new KeptJudge((pk) => system.slipway.store.items(pk));
    system.onWritten((writes) => this.#keptJudge.see(writes));
    this.#troubles = new MachineTroubles(system);
    this.#dead = new DeadDpus(clock, world);
    this.#draws = chance(seeded(told.seed + 3));
    this.#technician = new Technician(system, this.#draws, this.#troubles, this.#dead);
  }

  /** Offers servers, makes the tenants' networks, and waits until the hosts are free. */
  async begin(pass: (ms: number) => Promise<void>): Promise<void> {
    await offerServers(this.#system);
    await this.requests.begin(() => pass(minutes(5)));
    for (let n = 0; n < 60 && !this.#areAll("AVAILABLE"); n++) await pass(minutes(5));
    this.#dead.begin(this.#draws, this.#told.deadDpus, this.#told.within);
  }

  async arrive(arrival: ServerArrival): Promise<void> {
    switch (arrival.what) {
      case "own network":
        return this.requests.ownNetwork(arrival);
      case "server":
        return this.requests.order(arrival);
      case "server change":
        return this.requests.change(arrival, arrival.change);
      case "host maintenance":
        return this.requests.wish(arrival, arrival.wish);
      case "network change":
        return this.requests.changeNetwork(arrival, arrival.change);
      case "allocation":
        return this.allocations.order(arrival);
      case "allocation change":
        return this.allocations.change(arrival, arrival.change);
      case "machine trouble":
        return this.#troubles.begin(arrival.trouble, arrival.draw);
    }
  }

  /** A change of the store. */
  see(record: StreamRecord): void {
    this.#judge.see(record);
    const { key, after } = record;
    if (!after || !isOfObject(after)) return;
    if (key.pk.startsWith("host#")) this.#seeHost(objectIn<"host">(kinds, after));
    if (key.pk.startsWith("dpu#")) {
      const dpu = objectIn<"dpu">(kinds, after);
      const { id, spec } = dpu;
      this.#technician.seeDpu(dpu);
      const host = this.#hosts.get(spec.host.id);
      if (host) this.#hostsOf.set(id, new Set([host.metadata.name]));
    }
    if (key.pk.startsWith("external_ip_attachment#")) {
      const { id, spec } = objectIn<"external_ip_attachment">(kinds, after);
      const server = spec.baremetal_instance?.id;
      // The same names as its server has: it is done by the DPUs of that one's host.
      if (server !== undefined) this.#hostsOf.set(id, this.#namesOf(server));
    }
  }

  /** The names of the hosts that an object has ever had, to be added to. */
  #namesOf(id: string): Set<string> {
    const known = this.#hostsOf.get(id) ?? new Set();
    this.#hostsOf.set(id, known);
    return known;
  }

  /** Whether something was wrong with a host of this object, or with the host of this id. */
  isFailing(id: string): boolean {
    const host = this.#hosts.get(id);
    const names = host ? [host.metadata.name] : [...(this.#hostsOf.get(id) ?? [])];
    return names.some((name) => this.#troubles.has(name) || this.#dead.since.has(name));
  }

  /** While all come to rest, nobody has a host tried again; a mainboard is accepted if a server's end waits for that. */
  rest(isResting: boolean): void {
    this.#technician.isResting = isResting;
  }

  /**
   * Judges the hosts with dead DPUs when all servers are deleted. A DPU that dies before a host that nobody has is missed
   * after a while alone, so servers are ordered at all free hosts until each of the dead was met or missed. `rest` waits until nothing is under way.
   */
  async meetDead(rest: () => Promise<void>): Promise<void> {
    await this.requests.bringBack();
    await this.#technician.mendIssues();
    await rest();
    for (let round = 0; round < mostRounds && this.#unmet().length > 0; round++) {
      // Somebody else's trouble was met first: without it, the host continues to what its DPU does.
      await this.#technician.retry(this.#unmet());
      await rest();
      const free = this.#servers().filter(({ status }) => status.state === "HOST_STATE_AVAILABLE");
      await this.requests.search(free.filter(({ spec }) => isOf("withDpus", spec)).length);
      await rest();
      await this.requests.deleteServers();
      await rest();
    }
    for (const { metadata, status } of this.#unmet())
      this.#wrong.push(
        `host ${metadata.name} has a dead DPU and is ${status.state}: ${status.message ?? "nothing is said"}`,
      );
  }

  /**
   * Has somebody repair what is dead, and try again what is quarantined: twice, since behind a dead DPU a new mainboard is
   * found only then. `rest` waits until nothing is under way.
   */
  async mend(rest: () => Promise<void>): Promise<void> {
    this.#dead.mendAll();
    for (let visit = 0; visit < 2; visit++) {
      await this.#technician.retry([...this.#hosts.values()]);
      await rest();
    }
  }

  /** At the very end: hosts that did not come back. */
  close(): void {
    for (const { metadata, status, server } of this.#hosts.values())
      if (server?.condition !== undefined && !/AVAILABLE|OFF/.test(status.state))
        this.#wrong.push(`host ${metadata.name} is ${status.state} at the end: ${status.message}`);
  }

  outcome(): ServersOutcome {
    const { crossed, unwiped, touched, moments, arrived, cameIn } = this.#judge;
    const { taken, wrong: notKept } = this.#keptJudge;
    const { lives, searches } = this.requests;
    return {
      ...{ lives: lives.size - searches, searches, moments, arrived, cameIn },
      ...{ crossed: [...crossed], unwiped: [...unwiped], touched },
      wrong: this.#wrong,
      ...{ taken, notKept: [...notKept] },
      ...{ dead: this.#dead.counts, reasons: this.#reasons, repairs: this.#technician.repairs },
    };
  }

  #areAll(state: string): boolean {
    return this.#servers().every(({ status }) => status.state === `HOST_STATE_${state}`);
  }

  #servers(): Host[] {
    return [...this.#hosts.values()].filter(
      ({ spec }) => isOf("plain", spec) || isOf("withDpus", spec),
    );
  }

  /** Hosts with a dead DPU that are not quarantined with what was expected and what was seen. */
  #unmet(): Host[] {
    return this.#servers().filter(
      ({ metadata, status }) =>
        this.#dead.since.has(metadata.name) &&
        !(status.state === "HOST_STATE_QUARANTINED" && isTold(status.message ?? "")),
    );
  }

  #seeHost(host: Host): void {
    const { id, metadata, status, server } = host;
    this.#hosts.set(id, host);
    const holder = status.owner?.id;
    if (holder !== undefined) {
      this.#namesOf(holder).add(metadata.name);
    }
    this.#technician.see(host);
    const { quarantine } = server ?? {};
    if (!quarantine || this.#known.get(id) === quarantine.since) return;
    this.#known.set(id, quarantine.since);
    count(this.#reasons, `${quarantine.step ?? "nobody"}: ${pattern(quarantine.reason)}`);
    this.#technician.comeFor(id);
  }
}

const isOf = (sort: Sort, { host_type }: Host["spec"]): boolean =>
  host_type === sorts[sort].hostType;

/** Whether a reason says what was expected, or waited for, and what was seen. */
const isTold = (reason: string): boolean =>
  /^(dpu \S+: )?(expected|waited \d+ min for) .+; .+/.test(reason);
