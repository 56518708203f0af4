import { load } from "../core/kernel/object/records.ts";
import { seeded } from "../test/support/random.ts";
import { chance } from "./chance.ts";
import { type Counts, count, pattern } from "./counts.ts";
import type { Arrival, Change } from "./plan.ts";
import type { System } from "./system.ts";
import { scaled } from "./wishes.ts";

/** What is ordered, and how often: `held` keeps what has failed for people to look at. */
const templates = { mixed: 4, ocp_4_17_small: 2, ocp_4_17_single_node: 1, held: 1 };

/** What tenants ask for, and what the API answers. */
export class Requests {
  readonly accepted: Counts = {};
  /** By request and reason. */
  readonly refused: Counts = {};
  /** Answers that nobody may get: 5xx. */
  readonly broken: string[] = [];
  /** The clusters, by the number of their order. */
  readonly clusters = new Map<number, { id: string; tenant: string; isDeleted: boolean }>();
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
    const made = await this.#ask("order", tenant, "POST", "clusters", body);
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
        return void (await this.#ask(change, tenant, "POST", `clusters/${id}/retry`));
      case "cancel": {
        if (record.operation === undefined)
          return count(this.refused, "cancel: nothing is under way");
        return void (await this.#ask(
          change,
          tenant,
          "POST",
          `operations/${record.operation}/cancel`,
        ));
      }
      case "delete":
        if (await this.#ask(change, tenant, "DELETE", `clusters/${id}`)) cluster.isDeleted = true;
    }
  }

  /** What an administrator does with an operation that is stuck. */
  async resume(tenant: string, operation: string): Promise<void> {
    await this.#ask("resume", tenant, "POST", `operations/${operation}/resume`);
  }

  #patch(
    name: string,
    { id, tenant }: { id: string; tenant: string },
    spec: object,
  ): Promise<void> {
    return this.#ask(name, tenant, "PATCH", `clusters/${id}`, { spec }).then(() => {});
  }

  async #ask(name: string, tenant: string, method: string, path: string, asked?: object) {
    const { status, body } = await this.#system.ask(tenant, method, path, asked);
    if (status === 200) {
      count(this.accepted, name);
      return body;
    }
    if (status >= 500) this.broken.push(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    count(this.refused, `${name}: ${pattern(String(body.message))}`);
    return undefined;
  }
}
