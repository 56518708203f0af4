import { expect } from "vitest";
import { minutes, seconds } from "../../../core/clock.ts";
import type { FaultInput } from "../../../sim/faults.ts";
import { sshKey } from "../orders.ts";
import type { Site, Wire } from "../site.ts";
import type { Judged } from "./judge.ts";
import { pathOf, settled, type Tenant, tenantsOf } from "./tenant.ts";

/** Tenants that order one thing after the other, and packets that are asked for whenever all is as ordered. */

/** One thing that a tenant asks for. What is refused changes nothing. */
export interface Turn {
  tenant: "a" | "b";
  does: "order" | "delete";
  collection: string;
  /** An order of a name that is there is a change. */
  name: string;
  spec?: Wire;
  /** What goes wrong meanwhile, and passes. */
  fault?: FaultInput;
  /** A DPU that says nothing for so many minutes, or not all. */
  silent?: { fault: FaultInput; minutes: number };
  /** A call that is refused for good: the order fails, and what it has done is undone. Nothing else goes on meanwhile. */
  refused?: Pick<FaultInput, "target" | "operation">;
  /** The next turn does not wait for the end of this one. */
  isHasty?: boolean;
}

/** The systems that carry the packets, and what stands there. */
export interface Ground {
  /** Asks for every pair. */
  look(site: Site, tenants: readonly Tenant[]): Promise<Judged>;
  /** What no API of ours starts and stops yet. */
  workloads?: Workloads;
  /** Does what a person does about what has failed, again and again until all is at rest. */
  care?(site: Site): Promise<void>;
}

export interface Workloads {
  /** As a collection that turns name. */
  collection: string;
  /** Answers whether it was done. */
  take(site: Site, tenant: Tenant, turn: Turn): Promise<boolean>;
  /** Ends those that have an object which is being deleted. */
  leave(site: Site, tenant: Tenant, path: string): Promise<void>;
}

export class Walk {
  readonly site: Site;
  readonly #ground: Ground;
  readonly #tenants: Record<"a" | "b", Tenant>;
  #open: { tenant: Tenant; path: string; mayFail: boolean }[] = [];
  /** How many packets arrived when they were last asked for. */
  arrived = 0;

  constructor(site: Site, ground: Ground) {
    this.site = site;
    this.#ground = ground;
    this.#tenants = tenantsOf(site);
  }

  /** Answers whether it was accepted. */
  async take(turn: Turn): Promise<boolean> {
    const { tenant: who, collection, fault, silent, refused, isHasty } = turn;
    const { workloads } = this.#ground;
    const { faults } = this.site.world;
    const tenant = this.#tenants[who];
    if (refused) await this.rest();
    if (refused) faults.add({ ...refused, fault: "error", status: 400 });
    else if (fault) faults.add(fault);
    if (silent) this.#silence(silent);
    const isAccepted =
      collection === workloads?.collection
        ? await workloads.take(this.site, tenant, turn)
        : await this.#asked(tenant, turn);
    if (refused || !isHasty) await this.rest();
    return isAccepted;
  }

  /** Waits until nothing works on anything any more, and asks for every pair. */
  async rest(): Promise<void> {
    for (const { tenant, path, mayFail } of this.#open)
      await settled(this.site, tenant, path, { mayFail, ...this.#ground });
    this.#open = [];
    this.site.world.faults.clear();
    const { wrong, arrived } = await this.#ground.look(this.site, Object.values(this.#tenants));
    expect(wrong).toEqual([]);
    this.arrived = arrived;
  }

  #silence({ fault, minutes: count }: NonNullable<Turn["silent"]>): void {
    const { faults } = this.site.world;
    const { id } = faults.add({ ...fault, count: 0 });
    this.site.laptop.clock.after(minutes(count), () => faults.clear((each) => each.id === id));
  }

  async #asked(tenant: Tenant, turn: Turn): Promise<boolean> {
    const { does, collection, name, spec = {}, refused } = turn;
    const known = await pathOf(tenant, collection, name);
    if (does === "delete") return known !== undefined && this.#remove(tenant, known);
    // What a change has done in part is undone for clusters alone.
    if (known && refused && collection !== "clusters") return false;
    const change = changes[collection];
    // A DPU may be silent for longer than a server waits for it.
    const mayFail = refused !== undefined || collection === "baremetal_instances";
    if (known && change) {
      const body = { spec: change(spec) };
      return this.#send(tenant, "PATCH", known, { body, mayFail });
    }
    if (known) {
      if (!ordersAnew.includes(collection) || !(await this.#remove(tenant, known))) return false;
      await settled(this.site, tenant, known);
    }
    const body = { metadata: { name }, spec: (forms[collection] ?? same)(spec) };
    return this.#send(tenant, "POST", collection, { body, mayFail });
  }

  async #remove(tenant: Tenant, path: string): Promise<boolean> {
    const isAccepted = await this.#send(tenant, "DELETE", path);
    if (!isAccepted || !this.#ground.workloads) return isAccepted;
    await this.site.laptop.pass(seconds(3));
    await this.#ground.workloads.leave(this.site, tenant, path);
    return true;
  }

  async #send(
    tenant: Tenant,
    method: string,
    path: string,
    { body: asked, mayFail = false }: { body?: object; mayFail?: boolean } = {},
  ): Promise<boolean> {
    const { status, body } = await tenant.ask(method, path, asked);
    if (status >= 500) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
    if (status >= 400) return false;
    const at = method === "POST" ? `${path}/${body.id}` : path;
    this.#open.push({ tenant, path: at, mayFail });
    return true;
  }
}

/** An order of a cluster, by the members that turns name: its place, if that is a tenant's subnet, and its size. */
export const clusterOf = ({ network_attachment, size = 1 }: Wire): object => ({
  template: { id: "ocp_4_17_small" },
  node_sets: { workers: { size } },
  ...(network_attachment && { network_attachment }),
});

/** An order of a server, by its place. */
export const serverOf = ({ network_attachments }: Wire): object => ({
  ...{ catalog_item: "rhel", ssh_public_key: sshKey("ann"), network_attachments },
});

const same = (spec: Wire): object => spec;
/** What turns name of an order, where that is not all of it. */
const forms: Record<string, (spec: Wire) => object> = {
  clusters: clusterOf,
  baremetal_instances: serverOf,
};

/** Collections whose objects change, and what of an order may be changed. */
const changes: Record<string, (spec: Wire) => object> = {
  security_groups: ({ ingress, egress }) => ({ ingress, egress }),
  clusters: ({ network_attachment: at, size }) =>
    at
      ? { network_attachment: { security_groups: at.security_groups } }
      : { node_sets: { workers: { size } } },
  baremetal_instances: ({ network_attachments }) => ({ network_attachments }),
};
/** Collections of what is moved: deleted, and ordered again. */
const ordersAnew = ["external_ip_attachments", "nat_gateways"];
