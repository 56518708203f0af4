import { AppError } from "../../../error.ts";
import { tagsOf } from "../../owner.ts";
import type { ObjectState, OwnedNetwork, Removal } from "../fabric.ts";
import type { NeutronApi, NeutronFilter } from "./api.ts";
import { NeutronRefusal } from "./error.ts";
import { baseName, descriptionOf, floatingIpNames } from "./names.ts";
import type {
  Network,
  NeutronCollection,
  NeutronFloatingIp,
  NeutronSubnet,
  ObjectIn,
  Port,
  Router,
} from "./objects.ts";

/** A port's security settings, as Neutron names them. */
export interface Security {
  port_security_enabled?: boolean;
  security_groups?: string[];
}

/**
 * The objects of one network in Neutron. Some servers ignore unknown filters, so names are compared here
 * again. A lost answer may have left two objects of one name: the oldest is used, and all are removed.
 */
export class OwnedInNeutron {
  readonly owned: OwnedNetwork;
  readonly #api: NeutronApi;

  constructor(api: NeutronApi, owned: OwnedNetwork) {
    this.#api = api;
    this.owned = owned;
  }

  networks(): Promise<Network[]> {
    return this.named("networks", baseName(this.owned));
  }

  subnets(): Promise<NeutronSubnet[]> {
    return this.named("subnets", baseName(this.owned));
  }

  /** The networks of its hosts: its own, or another owner's. */
  segments(): Promise<Network[]> {
    return this.named("networks", this.#segment);
  }

  routers(): Promise<Router[]> {
    return this.named("routers", baseName(this.owned));
  }

  /** Every port on a subnet's network, including the fabric's own. */
  async portsOn({ network_id }: Pick<NeutronSubnet, "network_id">): Promise<Port[]> {
    const ports = await this.#api.list("ports", { network_id });
    return ports.filter((port) => port.network_id === network_id);
  }

  async floatingIps(): Promise<NeutronFloatingIp[]> {
    const wanted = floatingIpNames(this.owned).map((name) => descriptionOf(name, this.owned));
    const found = await this.#api.list("floatingips", { description: wanted });
    return found.filter(({ description }) => wanted.includes(description));
  }

  /** The network. Throws Rejected when there is none. */
  async network(): Promise<Network> {
    return first(await this.networks(), `the fabric has no network ${baseName(this.owned)}`);
  }

  /** The subnet of its hosts. Throws Rejected if there is none. */
  async subnet(): Promise<NeutronSubnet> {
    const name = this.#segment;
    const [subnet] = await this.named("subnets", name);
    if (subnet) return subnet;
    const [network] = await this.named("networks", name);
    throw new AppError("Rejected", `the fabric has no ${network ? "subnet" : "network"} ${name}`);
  }

  /**
   * The security settings of its ports. In a network of its own all traffic is permitted, because Neutron's
   * default group would block traffic to floating IPs. `known`: ports of the network, which show whether
   * Neutron has the port security extension. Throws Unavailable while a group is missing.
   */
  async security(known: readonly Port[]): Promise<Security> {
    const { within } = this.owned;
    const isExtended = known.some((port) => port.port_security_enabled !== undefined);
    if (!within) return isExtended ? { port_security_enabled: false, security_groups: [] } : {};
    const security_groups = await Promise.all(within.groups.map((group) => this.#group(group)));
    return { security_groups };
  }

  async #group(owner: string): Promise<string> {
    const name = baseName({ name: owner });
    const [group] = await this.named("security_groups", name);
    if (!group) throw new AppError("Unavailable", `the fabric has no security group ${name} yet`);
    return group.id;
  }

  get #segment(): string {
    return baseName(this.owned.within ?? this.owned);
  }

  /** The object that `find` finds, or a new one. */
  async ensure<C extends NeutronCollection>(
    collection: C,
    name: string,
    find: () => Promise<ObjectIn<C> | undefined>,
    body: object,
  ): Promise<ObjectIn<C>> {
    const found = await find();
    return found ? this.adopt(collection, found) : this.make(collection, name, find, body);
  }

  /**
   * Creates an object. After a failure, searches for it again: the answer may have been lost, or another call
   * may have created the object first.
   */
  async make<C extends NeutronCollection>(
    collection: C,
    name: string,
    find: () => Promise<ObjectIn<C> | undefined>,
    body: object,
  ): Promise<ObjectIn<C>> {
    const described = { ...body, description: descriptionOf(name, this.owned) };
    let made: ObjectIn<C> | undefined;
    try {
      made = await this.#api.create(collection, described);
    } catch (error) {
      made = await find().catch(() => undefined);
      if (!made) throw error;
    }
    return this.adopt(collection, made);
  }

  /** Adds our tags where they are missing: most collections accept no tags at creation. */
  async adopt<C extends NeutronCollection>(
    collection: C,
    found: ObjectIn<C>,
  ): Promise<ObjectIn<C>> {
    const missing = tagsOf(this.owned).filter((tag) => !found.tags.includes(tag));
    if (missing.length > 0) await this.#api.tag(collection, found.id, [...found.tags, ...missing]);
    return found;
  }

  /** The objects of a collection that have this name. */
  async named<C extends NeutronCollection>(collection: C, name: string): Promise<ObjectIn<C>[]> {
    const filter: NeutronFilter = { name };
    const found = await this.#api.list(collection, filter);
    return found.filter((object) => object.name === name);
  }
}

function first<T>(found: T[], otherwise: string): T {
  const [object] = found;
  if (!object) throw new AppError("Rejected", otherwise);
  return object;
}

/** Converts a `status` of Neutron to the progress of `what`. */
export function progressOf(what: string, status: string): ObjectState {
  const message = `${what} is ${status || "without a status"}`;
  switch (status) {
    case "ACTIVE":
      return { state: "done" };
    case "DOWN":
    case "BUILD":
    case "ALLOCATING":
      return { state: "pending", message };
    case "ERROR":
      return { state: "failed", message };
    default:
      return { state: "unknown", message };
  }
}

/** Runs a removal; HTTP 409 (still in use) means pending, not failed. */
export async function removal(remove: () => Promise<void>): Promise<Removal> {
  try {
    await remove();
    return { state: "absent" };
  } catch (error) {
    if (!(error instanceof NeutronRefusal && error.status === 409)) throw error;
    return { state: "pending", message: error.message };
  }
}
