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

/** The outcome for whole servers of tenants. */
export interface ServersOutcome {
  lives: number;
  /** The number of servers ordered beyond the plan, to find dead DPUs. */
  searches: number;
  /** The ways in which DPUs died, and the reasons of quarantines. */
  dead: Counts;
  reasons: Counts;
  /** The technician's actions for quarantined hosts. */
  repairs: Counts;
  /** The number of moments that were checked, and of packets that arrived as permitted. */
  moments: number;
  arrived: number;
  /** The number of permitted packets from outside. */
  cameIn: number;
  unwiped: readonly string[];
  crossed: readonly string[];
  /** Servers of other owners that were changed. */
  touched: readonly string[];
  /** The number of reserved hosts that went to their tenants, and the violations. */
  taken: number;
  notKept: readonly string[];
  /** Hosts in a wrong state at the end. */
  wrong: readonly string[];
}

interface Told {
  seed: number;
  /** The milliseconds in which the orders arrive. */
  within: number;
  /** The share of DPUs that die. */
  deadDpus: number;
}

/** How often servers are ordered to find dead DPUs. */
const mostRounds = 3;

/** Follows the whole servers of tenants, with trouble of machines and a technician. */
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
  /** The last seen records of hosts, and the names of all hosts that each object ever had. */
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

  /** Creates the offers and the tenants' networks, and waits until the hosts are free. */
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

  /** Takes a change of the store. */
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
      // DPUs share the set of names of their server, because they work on its hosts.
      if (server !== undefined) this.#hostsOf.set(id, this.#namesOf(server));
    }
  }

  /** The names of all hosts that an object ever had; the caller may add to them. */
  #namesOf(id: string): Set<string> {
    const known = this.#hostsOf.get(id) ?? new Set();
    this.#hostsOf.set(id, known);
    return known;
  }

  /** Whether this object's host, or the host of this id, had a defect. */
  isFailing(id: string): boolean {
    const host = this.#hosts.get(id);
    const names = host ? [host.metadata.name] : [...(this.#hostsOf.get(id) ?? [])];
    return names.some((name) => this.#troubles.has(name) || this.#dead.since.has(name));
  }

  /** While operations come to an end, no host is retried; a mainboard is accepted if a server's end waits for that. */
  rest(isResting: boolean): void {
    this.#technician.isResting = isResting;
  }

  /**
   * Checks the hosts with dead DPUs after the deletion of all servers. A DPU that dies before a free host shows only
   * some time later, so servers are ordered on all free hosts until each dead DPU was found. `rest` waits until no
   * operation runs.
   */
  async meetDead(rest: () => Promise<void>): Promise<void> {
    await this.requests.bringBack();
    await this.#technician.mendIssues();
    await rest();
    for (let round = 0; round < mostRounds && this.#unmet().length > 0; round++) {
      // The host has other trouble too; after a retry it continues until its DPU fails.
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
   * Repairs dead DPUs, and retries quarantined hosts: twice, since a new mainboard behind a dead DPU is found only
   * then. `rest` waits until no operation runs.
   */
  async mend(rest: () => Promise<void>): Promise<void> {
    this.#dead.mendAll();
    for (let visit = 0; visit < 2; visit++) {
      await this.#technician.retry([...this.#hosts.values()]);
      await rest();
    }
  }

  /** Records at the very end the hosts that did not return. */
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

  /** Hosts with a dead DPU without a quarantine whose reason states what was expected and what was seen. */
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

/** Whether a reason has what was expected, or waited for, and what was seen. */
const isTold = (reason: string): boolean =>
  /^(dpu \S+: )?(expected|waited \d+ min for) .+; .+/.test(reason);
