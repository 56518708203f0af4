import { minutes } from "../../core/clock.ts";
import type { Host } from "../../core/placement/pool/host.ts";
import type { Dpu } from "../../core/resources/dpu/model.ts";
import type { Chance } from "../chance.ts";
import { type Counts, count } from "../counts.ts";
import type { System } from "../system.ts";
import type { DeadDpus } from "./dead-dpus.ts";
import type { MachineTroubles } from "./trouble.ts";

/** How long until the technician comes for a host, at least and at most. */
const [soonest, latest] = [minutes(15), minutes(90)];

/** Looks after hosts that are quarantined, and those that a tenant has found something wrong with. */
export class Technician {
  /** What was done, by its request. */
  readonly repairs: Counts = {};
  /** While all come to rest, no host is tried again; a mainboard is accepted if a server's end waits for that. */
  isResting = false;
  readonly #system: System;
  readonly #draws: Chance;
  readonly #troubles: Pick<MachineTroubles, "isOwn">;
  readonly #dead: Pick<DeadDpus, "since">;
  /** As they were last seen. */
  readonly #hosts = new Map<string, Host>();
  readonly #dpus = new Map<string, Dpu>();
  /** The hosts whose issue is going to be looked at. */
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

  /** Mends what tenants have found wrong, at once. */
  async mendIssues(): Promise<void> {
    for (const host of this.#hosts.values()) if (hasIssue(host)) await this.#mended(host);
  }

  /** Has the quarantined ones of these tried again, at once. */
  async retry(hosts: readonly Host[]): Promise<void> {
    for (const host of hosts) if (host.server?.quarantine) await this.#repair(host);
  }

  /**
   * Has a host tried again, or a new mainboard accepted; another server is gone from its address by itself. False where
   * that has to be done later: while somebody has it, and after a mainboard of one of its DPUs was accepted.
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

  /** Whether a new mainboard was found in a host or a DPU, and not accepted yet. */
  #isRenewed({ metadata, identity }: Host | Dpu): boolean {
    return this.#troubles.isOwn(metadata.name, identity?.other);
  }

  async #asked(verb: string, path: string): Promise<boolean> {
    const { status } = await this.#system.administer("POST", `${path}/${verb}`);
    if (status === 200) count(this.repairs, `${verb} of ${path.split("/")[0]}`);
    return status === 200;
  }

  /** Has a person look at what a tenant found wrong, some time from now. */
  #comeForIssue(host: Host): void {
    this.#reported.add(host.id);
    this.#system.clock.after(soonest + this.#draws.below(latest - soonest), () => {
      this.#reported.delete(host.id);
      // Nobody waits for the answer.
      void this.#mended(host);
    });
  }

  async #mended({ id }: Host): Promise<void> {
    await this.#system.administer("POST", `hosts/${id}/health`, { source: "tenant" });
  }

  /** Has a person come for a host some time from now; nobody does for one with a dead DPU, but to accept its mainboard. */
  comeFor(id: string): void {
    const { clock } = this.#system;
    // Nobody waits for the answer.
    clock.after(soonest + this.#draws.below(latest - soonest), () => void this.#attend(id));
  }

  async #attend(id: string): Promise<void> {
    const host = this.#hosts.get(id);
    if (!host?.server?.quarantine) return;
    const { name } = host.metadata;
    // The end of a server waits until the controller is asked again whether its host is off.
    const isAwaited = host.status.owner !== undefined && this.#isRenewed(host);
    if (this.#dead.since.has(name) && !isAwaited) return;
    // One that somebody has, or that an operation works on, is come for later.
    if ((this.isResting && !isAwaited) || !(await this.#repair(host))) this.comeFor(id);
  }
}

/** Whether a tenant has said that something is wrong with a host. */
const hasIssue = ({ status }: Host): boolean =>
  status.health?.alerts.some(({ source }) => source === "tenant") ?? false;
