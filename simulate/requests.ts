import { load } from "../core/kernel/object/records.ts";
import { seeded } from "../test/support/random.ts";
import type { Answer } from "../test/support/site.ts";
import { chance } from "./chance.ts";
import { type Counts, count, pattern } from "./counts.ts";
import type { Arrival, Change, HostChange } from "./plan.ts";
import type { System } from "./system.ts";
import { scaled } from "./wishes.ts";

/**
 * The templates with their relative frequencies. A failed order of the template `held` is kept, so
 * that people can examine it.
 */
const templates = { mixed: 4, ocp_4_17_small: 2, ocp_4_17_single_node: 1, held: 1 };

/** The requests of tenants and the provider, and the API's answers. */
export class Requests {
  readonly accepted: Counts = {};
  /** The numbers of refusals, by request and reason. */
  readonly refused: Counts = {};
  /** Answers that count as failures: 5xx. */
  readonly broken: string[] = [];
  /** The clusters, by the number of their order. */
  readonly clusters = new Map<number, { id: string; tenant: string; isDeleted: boolean }>();
  /** The hosts in maintenance, by the number of the order whose plan requested it. */
  readonly #maintained = new Map<number, string>();
  readonly #system: System;

  constructor(system: System) {
    this.#system = system;
  }

  async order({ order, draw }: Arrival, tenant: string): Promise<void> {
    const { below, weighed } = chance(seeded(draw));
    const size = 1 + below(3);
    const template = weighed(templates);
    const spec =
      template === "ocp_4_17_single_node"
        ? { template: { id: template }, template_parameters: { site: "edge" } }
        : { template: { id: template }, node_sets: { workers: { size } } };
    const body = { metadata: { name: `c${order}` }, spec };
    const made = await this.ask("order", tenant, "POST", "clusters", body);
    if (made) this.clusters.set(order, { id: made.id, tenant, isDeleted: false });
  }

  async change({ order, draw }: Arrival, change: Change): Promise<void> {
    const cluster = this.clusters.get(order);
    if (!cluster) return;
    const { id, tenant } = cluster;
    const { deps } = this.#system.slipway;
    const record = await load(deps, "cluster", id);
    if (!record) return count(this.refused, `${change}: the cluster is gone`);
    switch (change) {
      case "scale": {
        const { node_sets } = scaled(record.spec.node_sets, chance(seeded(draw)));
        return this.#patch("scale", cluster, { node_sets });
      }
      case "upgrade":
        return this.#patch("upgrade", cluster, { version: "4-18-1" });
      case "retry":
        return void (await this.ask(change, tenant, "POST", `clusters/${id}/retry`));
      case "cancel": {
        if (record.operation === undefined)
          return count(this.refused, "cancel: nothing is under way");
        return void (await this.ask(
          change,
          tenant,
          "POST",
          `operations/${record.operation}/cancel`,
        ));
      }
      case "delete":
        if (await this.ask(change, tenant, "DELETE", `clusters/${id}`)) cluster.isDeleted = true;
    }
  }

  /** Begins or ends maintenance of a host of the order's cluster, or sometimes of any host. */
  async host({ order, draw }: Arrival, change: HostChange): Promise<void> {
    const id =
      change === "maintain" ? await this.#anyHost(order, draw) : this.#maintained.get(order);
    if (id === undefined) return;
    const done = await this.administer(`${change} a host`, "POST", `hosts/${id}/${change}`);
    if (done && change === "maintain") this.#maintained.set(order, id);
    if (done && change === "release") this.#maintained.delete(order);
  }

  /** Ends every maintenance. */
  async bringBack(): Promise<void> {
    for (const order of this.#maintained.keys())
      await this.host({ at: 0, order, draw: 0, what: "host", change: "release" }, "release");
  }

  async #anyHost(order: number, draw: number): Promise<string> {
    const { oneIn, pick } = chance(seeded(draw));
    const cluster = this.clusters.get(order);
    const record = cluster && (await load(this.#system.slipway.deps, "cluster", cluster.id));
    const held = Object.values(record?.placement?.hosts ?? {}).flat();
    const all = this.#system.worlds.hosts().map(({ host }) => host.id);
    return pick(held.length === 0 || oneIn(4) ? all : held);
  }

  /** Resumes a stuck operation, as an administrator. */
  async resume(tenant: string, operation: string): Promise<void> {
    await this.ask("resume", tenant, "POST", `operations/${operation}/resume`);
  }

  #patch(
    name: string,
    { id, tenant }: { id: string; tenant: string },
    spec: object,
  ): Promise<void> {
    return this.ask(name, tenant, "PATCH", `clusters/${id}`, { spec }).then(() => {});
  }

  /** Sends a tenant's request, and counts it. Returns undefined when it was refused. */
  async ask(name: string, tenant: string, method: string, path: string, asked?: object) {
    return this.#counted(
      name,
      `${method} ${path}`,
      await this.#system.ask(tenant, method, path, asked),
    );
  }

  /** Sends a provider's request, and counts it. Returns undefined when it was refused. */
  async administer(name: string, method: string, path: string, asked?: object) {
    const answer = await this.#system.administer(method, path, asked);
    return this.#counted(name, `${method} ${path}`, answer);
  }

  /** The body of an answer; undefined when the request was refused. */
  #counted(name: string, request: string, { status, body }: Answer) {
    if (status === 200) {
      count(this.accepted, name);
      return body;
    }
    if (status >= 500) this.broken.push(`${request}: ${status} ${JSON.stringify(body)}`);
    count(this.refused, `${name}: ${pattern(String(body.message))}`);
    return undefined;
  }
}
