import { minutes } from "../../core/clock.ts";
import type { Host } from "../../core/placement/pool/host.ts";
import type { Dpu } from "../../core/resources/dpu/model.ts";
import type { Chance } from "../chance.ts";
import { type Counts, count } from "../counts.ts";
import type { System } from "../system.ts";
import type { DeadDpus } from "./dead-dpus.ts";
import type { MachineTroubles } from "./trouble.ts";

/** The shortest and longest time until the technician handles a host. */
const [soonest, latest] = [minutes(15), minutes(90)];

/** Handles quarantined hosts, and those with a tenant's health report. */
export class Technician {
  /** The numbers of actions, by request. */
  readonly repairs: Counts = {};
  /** While operations come to an end, no host is retried; a mainboard is accepted if a server's end waits for that. */
  isResting = false;
  readonly #system: System;
  readonly #draws: Chance;
  readonly #troubles: Pick<MachineTroubles, "isOwn">;
  readonly #dead: Pick<DeadDpus, "since">;
  /** The last seen records. */
  readonly #hosts = new Map<string, Host>();
  readonly #dpus = new Map<string, Dpu>();
  /** The hosts with a health report to handle. */
  readonly #reported = new Set<string>();

  constructor(
    system: System,
    draws: Chance,
    troubles: Pick<MachineTroubles, "isOwn">,
    dead: Pick<DeadDpus, "since">,
  ) {
    this.#system = system;
    this.#draws = draws;
    this.#troubles = troubles;
    this.#dead = dead;
  }

  see(host: Host): void {
    this.#hosts.set(host.id, host);
    if (hasIssue(host) && !this.#reported.has(host.id)) this.#comeForIssue(host);
  }

  seeDpu(dpu: Dpu): void {
    this.#dpus.set(dpu.id, dpu);
  }

  /** Resolves tenants' health reports, at once. */
  async mendIssues(): Promise<void> {
    for (const host of this.#hosts.values()) if (hasIssue(host)) await this.#mended(host);
  }

  /** Retries the quarantined ones of these hosts, at once. */
  async retry(hosts: readonly Host[]): Promise<void> {
    for (const host of hosts) if (host.server?.quarantine) await this.#repair(host);
  }

  /**
   * Retries a host, or accepts a new mainboard; swapped addresses are swapped back by themselves. False if that
   * has to wait: while the host has an owner, and after a mainboard of one of its DPUs was accepted.
   */
  async #repair(host: Host): Promise<boolean> {
    const dpu = [...this.#dpus.values()].find(
      (each) => each.spec.host.id === host.id && this.#isRenewed(each),
    );
    if (dpu) {
      await this.#asked("accept_identity", `dpus/${dpu.id}`);
      return false;
    }
    return this.#asked(this.#isRenewed(host) ? "accept_identity" : "retry", `hosts/${host.id}`);
  }

  /** Whether a host or a DPU has a new mainboard that is not accepted yet. */
  #isRenewed({ metadata, identity }: Host | Dpu): boolean {
    return this.#troubles.isOwn(metadata.name, identity?.other);
  }

  async #asked(verb: string, path: string): Promise<boolean> {
    const { status } = await this.#system.administer("POST", `${path}/${verb}`);
    if (status === 200) count(this.repairs, `${verb} of ${path.split("/")[0]}`);
    return status === 200;
  }

  /** Schedules the handling of a tenant's health report. */
  #comeForIssue(host: Host): void {
    this.#reported.add(host.id);
    this.#system.clock.after(soonest + this.#draws.below(latest - soonest), () => {
      this.#reported.delete(host.id);
      // Runs in the background: nobody awaits the promise.
      void this.#mended(host);
    });
  }

  async #mended({ id }: Host): Promise<void> {
    await this.#system.administer("POST", `hosts/${id}/health`, { source: "tenant" });
  }

  /**
   * Schedules the handling of a host; one with a dead DPU is left quarantined, unless its mainboard must be accepted.
   */
  comeFor(id: string): void {
    const { clock } = this.#system;
    // Runs in the background: nobody awaits the promise.
    clock.after(soonest + this.#draws.below(latest - soonest), () => void this.#attend(id));
  }

  async #attend(id: string): Promise<void> {
    const host = this.#hosts.get(id);
    if (!host?.server?.quarantine) return;
    const { name } = host.metadata;
    // A server's end waits for the controller's answer whether its host is off.
    const isAwaited = host.status.owner !== undefined && this.#isRenewed(host);
    if (this.#dead.since.has(name) && !isAwaited) return;
    // A host with an owner, or with a running operation, is handled later.
    if ((this.isResting && !isAwaited) || !(await this.#repair(host))) this.comeFor(id);
  }
}

/** Whether a tenant's health report says that a host has a problem. */
const hasIssue = ({ status }: Host): boolean =>
  status.health?.alerts.some(({ source }) => source === "tenant") ?? false;
