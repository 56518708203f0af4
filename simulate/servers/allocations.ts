import { seeded } from "../../test/support/random.ts";
import { chance } from "../chance.ts";
import type { Requests } from "../requests.ts";
import { sorts } from "./hardware.ts";
import { type AllocationChange, mostReserved, type ServerArrival } from "./plan.ts";

/** The provider's allocations for tenants. */
export class Allocations {
  /** Their ids, by the number of the order whose plan created each. */
  readonly #made = new Map<number, string>();
  readonly #requests: Requests;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  async order(arrival: ServerArrival & { what: "allocation" }): Promise<void> {
    const { order, tenant, sort, reserved } = arrival;
    const made = await this.#requests.administer("allocation", "POST", "allocations", {
      metadata: { name: `a${order}`, tenant },
      spec: { host_type: sorts[sort].hostType, reserved },
    });
    if (made) this.#made.set(order, made.id);
  }

  async change({ order, draw }: ServerArrival, change: AllocationChange): Promise<void> {
    const id = this.#made.get(order);
    if (id === undefined) return;
    const ask = (method: string, body?: object) =>
      this.#requests.administer(`${change} an allocation`, method, `allocations/${id}`, body);
    if (change === "resize") {
      const reserved = 1 + chance(seeded(draw)).below(mostReserved);
      await ask("PATCH", { spec: { reserved } });
    } else if (await ask("DELETE")) this.#made.delete(order);
  }

  /** Deletes all allocations, at the end when no tenant has a server any more. */
  async deleteAll(): Promise<void> {
    for (const order of this.#made.keys())
      await this.change(
        { at: 0, order, draw: 0, what: "allocation change", change: "delete" },
        "delete",
      );
  }
}
