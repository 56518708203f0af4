import { load } from "../../core/kernel/object/records.ts";
import { seeded } from "../../test/support/random.ts";
import { chance } from "../chance.ts";
import { count } from "../counts.ts";
import type { Requests } from "../requests.ts";
import type { System } from "../system.ts";
import type { Sort } from "./hardware.ts";
import { groupBody, networkBody, serverBody, subnetBody } from "./offers.ts";
import type { HostWish, NetworkChange, ServerArrival, ServerChange } from "./plan.ts";

/** A tenant's server, by the number of its order; parts that were not requested or not accepted are absent. */
interface Life {
  tenant: string;
  sort: Sort;
  id?: string;
  isDeleted: boolean;
  /** The server's own network. */
  network?: string;
  subnet?: string;
}

const tenants = ["tenant-a", "tenant-b", "tenant-c"] as const;

/** The names of the networks that all servers of a tenant may use. */
const shared = (sort: Sort) => ({
  network: `net-${sort}`.toLowerCase(),
  subnet: `sub-${sort}`.toLowerCase(),
  back: `back-${sort}`.toLowerCase(),
});

/** The possible attachments of a server: to one of these networks, or to both. */
const placesIn = ({ subnet, back }: ReturnType<typeof shared>): object[][] => [
  [{ subnet }],
  [{ subnet: back }],
  [
    { subnet, interface: "eno1", primary: true },
    { subnet: back, interface: "eno2" },
  ],
];

/** The tenant's health report about a server. */
const issue = { category: "performance", summary: "slower than its neighbours" };

const openGroup = (network: string): string => `open-${network}`;

type Collection = "security_groups" | "subnets" | "virtual_networks";
type Made = [tenant: string, id: string][];

/** The requests of tenants that order whole servers. */
export class ServerRequests {
  readonly lives = new Map<number, Life>();
  /** The number of orders beyond the plan, which serve to find dead DPUs. */
  searches = 0;
  readonly #system: System;
  readonly #requests: Requests;
  /** The hosts in maintenance, by the number of the order whose server had each. */
  readonly #maintained = new Map<number, string>();
  /** What must be deleted at the end, by collection. */
  readonly #made: Record<Collection, Made> = {
    security_groups: [],
    subnets: [],
    virtual_networks: [],
  };

  constructor(system: System, requests: Requests) {
    this.#system = system;
    this.#requests = requests;
  }

  /** Creates a network of each class for each tenant, with a subnet and a group. `pass` lets time pass. */
  async begin(pass: () => Promise<void>): Promise<void> {
    const each = tenants.flatMap((tenant) =>
      (["plain", "withDpus"] as const).map((sort) => ({ tenant, ...shared(sort), sort })),
    );
    for (const { tenant, network, sort } of each)
      await this.#make(tenant, "virtual_networks", networkBody(network, sort));
    await pass();
    for (const { tenant, network, subnet, back } of each) {
      await this.#make(tenant, "subnets", subnetBody(subnet, network));
      await this.#make(tenant, "subnets", subnetBody(back, network, "10.20.2.0/24"));
      await this.#make(tenant, "security_groups", groupBody(openGroup(network), network));
    }
    await pass();
  }

  /** Orders a network for a single server. */
  async ownNetwork({
    order,
    tenant,
    sort,
  }: ServerArrival & { what: "own network" }): Promise<void> {
    const life = this.#life(order, tenant, sort);
    const body = networkBody(`own-${order}`, sort);
    const made = await this.#make(tenant, "virtual_networks", body);
    if (made !== undefined) life.network = made;
  }

  async order(arrival: ServerArrival & { what: "server" }): Promise<void> {
    const { order, tenant, sort, hasOwnNetwork, isOutside } = arrival;
    const life = this.#life(order, tenant, sort);
    const subnet = hasOwnNetwork ? life.subnet : shared(sort).subnet;
    if (subnet === undefined) return;
    // A server that is reachable from outside has a group that permits everybody; networks of single servers have no
    // such group.
    const groups = isOutside && !hasOwnNetwork ? [openGroup(shared(sort).network)] : [];
    const body = serverBody({ name: `s${order}`, sort, subnet, groups, isOutside });
    const made = await this.#requests.ask("server", tenant, "POST", "baremetal_instances", body);
    if (made) life.id = made.id;
  }

  /** Orders a server with DPUs for each of so many hosts, by all tenants in turn. */
  async search(hosts: number): Promise<void> {
    const first = 1 + Math.max(0, ...this.lives.keys());
    this.searches += hosts;
    for (let n = 0; n < hosts; n++) {
      const tenant = tenants[n % tenants.length] ?? tenants[0];
      await this.order({
        ...{ what: "server", order: first + n, tenant, sort: "withDpus", hasOwnNetwork: false },
        ...{ isOutside: false, at: 0, draw: 0 },
      });
    }
  }

  async changeNetwork({ order }: ServerArrival, change: NetworkChange): Promise<void> {
    const life = this.lives.get(order);
    if (!life) return;
    switch (change) {
      case "order its subnet":
        return this.#ownSubnet(order, life);
      case "delete its subnet":
        return this.#delete(life.tenant, "subnets", life.subnet);
      case "delete its network":
        return this.#delete(life.tenant, "virtual_networks", life.network);
    }
  }

  async change({ order, draw }: ServerArrival, change: ServerChange): Promise<void> {
    const life = this.lives.get(order);
    if (!life) return;
    const { tenant, id, sort } = life;
    if (id === undefined) return;
    const record = await load(this.#system.slipway.deps, "baremetal_instance", id);
    if (!record) return count(this.#requests.refused, `${change} a server: it is gone`);
    const path = `baremetal_instances/${id}`;
    const name = `${change} a server`;
    const ask = (method: string, path: string, body?: object) =>
      this.#requests.ask(name, tenant, method, path, body);
    const patch = (spec: object) => ask("PATCH", path, { spec });
    switch (change) {
      case "restart":
        return void (await patch({ restart_trigger: draw }));
      case "halt":
        return void (await patch({ run_strategy: "BARE_METAL_INSTANCE_RUN_STRATEGY_HALTED" }));
      case "run":
        return void (await patch({ run_strategy: "BARE_METAL_INSTANCE_RUN_STRATEGY_ALWAYS" }));
      case "groups": {
        const { network } = shared(sort);
        const [attachment] = record.spec.network_attachments;
        if (!attachment || life.subnet !== undefined) return;
        const groups = chance(seeded(draw)).oneIn(2) ? [openGroup(network)] : [];
        const given = { subnet: attachment.subnet.id, security_groups: groups };
        return void (await patch({ network_attachments: [given] }));
      }
      case "networks": {
        if (life.subnet !== undefined) return;
        const attachments = chance(seeded(draw)).pick(placesIn(shared(sort)));
        return void (await patch({ network_attachments: attachments }));
      }
      case "reinstall":
      case "retry":
        return void (await ask("POST", `${path}/${change}`));
      case "cancel":
        if (record.operation === undefined)
          return count(this.#requests.refused, `${name}: nothing is under way`);
        return void (await ask("POST", `operations/${record.operation}/cancel`));
      case "consent to a repair":
        return void (await ask("POST", `${path}/maintenance`, { consent: "now" }));
      case "delete":
        if (await ask("DELETE", path)) life.isDeleted = true;
        return;
      case "release with an issue":
        if (await ask("POST", `${path}/release`, { issue })) life.isDeleted = true;
        return;
      case "remove by force":
        if (await this.#requests.administer(name, "POST", `${path}/force`, {}))
          life.isDeleted = true;
    }
  }

  /** Sends the provider's request for a server's host, which remains the server's. */
  async wish({ order }: ServerArrival, wish: HostWish): Promise<void> {
    const { id = "" } = this.lives.get(order) ?? {};
    const record = await load(this.#system.slipway.deps, "baremetal_instance", id);
    const [held] = Object.values(record?.placement?.hosts ?? {}).flat();
    const host = wish === "release" ? this.#maintained.get(order) : held;
    if (host === undefined) return;
    const done = await this.#requests.administer(`${wish} a host`, "POST", `hosts/${host}/${wish}`);
    if (done && wish === "maintain") this.#maintained.set(order, host);
    if (done && wish === "release") this.#maintained.delete(order);
  }

  /** Ends every maintenance. */
  async bringBack(): Promise<void> {
    for (const order of this.#maintained.keys()) await this.wish(at(order), "release");
  }

  /** Deletes the remaining servers: all of them, or those that `isMeant` selects. */
  async deleteServers(isMeant: (id: string) => boolean = () => true): Promise<void> {
    for (const [order, { id, isDeleted }] of this.lives)
      if (id !== undefined && !isDeleted && isMeant(id)) await this.change(at(order), "delete");
  }

  /** Deletes all networks, in the necessary order. `rest` waits until no operation runs. */
  async deleteNetworks(rest: () => Promise<void>): Promise<void> {
    for (const collection of ["security_groups", "subnets", "virtual_networks"] as const) {
      for (const [tenant, id] of this.#made[collection]) await this.#delete(tenant, collection, id);
      await rest();
    }
  }

  /** Accepted orders without a server, although nobody deleted it. */
  async missing(): Promise<string[]> {
    const { deps } = this.#system.slipway;
    const missing: string[] = [];
    for (const { id, isDeleted } of this.lives.values())
      if (id !== undefined && !isDeleted && !(await load(deps, "baremetal_instance", id)))
        missing.push(`the server ${id} is gone, and nobody deleted it`);
    return missing;
  }

  async #ownSubnet(order: number, life: Life): Promise<void> {
    if (life.network === undefined) return;
    const body = subnetBody(`own-${order}`, life.network);
    const made = await this.#make(life.tenant, "subnets", body);
    if (made !== undefined) life.subnet = made;
  }

  #life(order: number, tenant: string, sort: Sort): Life {
    const life = this.lives.get(order) ?? { tenant, sort, isDeleted: false };
    this.lives.set(order, life);
    return life;
  }

  async #make(tenant: string, collection: Collection, body: object): Promise<string | undefined> {
    const made = await this.#requests.ask(collection, tenant, "POST", collection, body);
    if (made) this.#made[collection].push([tenant, made.id]);
    return made?.id;
  }

  async #delete(tenant: string, collection: Collection, id: string | undefined): Promise<void> {
    if (id === undefined) return;
    const name = `delete of ${collection}`;
    const path = `${collection}/${id}`;
    if (!(await this.#requests.ask(name, tenant, "DELETE", path))) return;
    this.#made[collection] = this.#made[collection].filter(([, other]) => other !== id);
  }
}

const at = (order: number): ServerArrival => ({
  ...{ at: 0, order, draw: 0, what: "server change", change: "delete" },
});
