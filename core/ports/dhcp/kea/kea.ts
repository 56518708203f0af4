import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { AppError } from "../../../error.ts";
import { isSameOwner } from "../../owner.ts";
import { Taken } from "../../taken.ts";
import type { Dhcp, DhcpObservation, OwnedSubnet, Reservation, SubnetPlan } from "../dhcp.ts";
import { KeaApi, type KeaApiOptions, KeaRefusal } from "./api.ts";
import {
  configSchema,
  foundSchema,
  hostsSchema,
  idOf,
  isIn,
  isServed,
  type KeaSubnet,
  keaHostFor,
  keaOwnerIn,
  leasesSchema,
  reservationOf,
  subnetFor,
} from "./objects.ts";

const anything = z.unknown();

/**
 * Reservations are stored in the configuration, with their subnets. By default Kea's commands use a hosts
 * database, which a server need not have.
 */
const inMemory = { "operation-target": "memory" };

/**
 * DHCP by Kea's DHCPv4 server. Kea changes only its memory; `config-write` makes a change survive a
 * restart. So each changing call ends with a write, even if only an earlier, interrupted attempt
 * has changed anything. The call then reads again, because a restart before the write has reverted
 * the change.
 */
export class Kea implements Dhcp {
  readonly #api: KeaApi;

  constructor(options: KeaApiOptions) {
    this.#api = new KeaApi(options);
  }

  async ensure(subnet: OwnedSubnet, plan: SubnetPlan): Promise<void> {
    const wanted = subnetFor(subnet, plan);
    const found = await this.#mine(subnet);
    if (!found) await this.#add(subnet, wanted);
    else if (!isServed(found, wanted)) await this.#update(subnet, wanted);
    await this.#write();
    const now = await this.#mine(subnet);
    if (!now || !isServed(now, wanted)) throw lost();
  }

  async reserve(subnet: OwnedSubnet, reservations: Reservation[]): Promise<void> {
    if (!(await this.#mine(subnet)))
      throw new AppError("Rejected", `the DHCP server does not serve ${subnet.prefix}`);
    const has = await this.#reservations(subnet);
    const wanted = reservations
      .map((each) => ({ ...each, mac: each.mac.toLowerCase() }))
      .toSorted(byMac);
    let made = 0;
    for (const change of this.#changes(subnet, has, wanted)) {
      try {
        await change();
        made += 1;
      } catch (error) {
        if (!(error instanceof KeaRefusal)) throw error;
        // After a restart has reverted something, Kea refuses commands that do not fit: the next
        // call reads again.
        if (made > 0 || !(await this.#stillHas(subnet, has))) throw lost();
        throw error;
      }
    }
    await this.#write();
    if (!isDeepStrictEqual(await this.#reservations(subnet), wanted)) throw lost();
  }

  #changes(
    subnet: OwnedSubnet,
    has: Reservation[],
    wanted: Reservation[],
  ): (() => Promise<void>)[] {
    const moved = has.filter(
      (each) => wanted.find(({ mac }) => mac === each.mac)?.address !== each.address,
    );
    const gone = has.filter((each) => !wanted.some(({ mac }) => mac === each.mac));
    const leaving = new Set([...moved, ...gone]);
    const differing = wanted.filter(
      (each) => !has.some((one) => !leaving.has(one) && isDeepStrictEqual(one, each)),
    );
    return [
      // Removals first: their addresses may be reserved for other NICs now.
      ...Array.from(leaving, (each) => () => this.#release(subnet, each)),
      ...differing.map((each) => () => {
        const isThere = has.some((one) => !leaving.has(one) && one.mac === each.mac);
        const reservation = keaHostFor(subnet, each);
        const command = isThere ? "reservation-update" : "reservation-add";
        return this.#change(command, { reservation, ...inMemory });
      }),
    ];
  }

  async #stillHas(subnet: OwnedSubnet, reservations: Reservation[]): Promise<boolean> {
    const isThere = (await this.#found(subnet)) !== undefined;
    return isThere && isDeepStrictEqual(await this.#reservations(subnet), reservations);
  }

  async observe(subnet: OwnedSubnet, plan: SubnetPlan): Promise<DhcpObservation> {
    const found = await this.#found(subnet);
    if (!found) return { state: "absent", reservations: [] };
    if (!isOf(subnet, found)) return { state: "foreign", reservations: [] };
    return {
      state: isServed(found, subnetFor(subnet, plan)) ? "done" : "differs",
      reservations: await this.#reservations(subnet),
    };
  }

  async remove(subnet: OwnedSubnet): Promise<void> {
    const found = await this.#found(subnet);
    if (found && !isOf(subnet, found)) return;
    // Deleting the subnet deletes its reservations.
    if (found) await this.#change("subnet4-del", { id: found.id });
    await this.#dropLeases(found?.id ?? idOf(subnet), (address) => isIn(subnet, address));
    await this.#write();
    const left = await this.#found(subnet);
    if (left && isOf(subnet, left)) throw lost();
  }

  async observeAll(): Promise<OwnedSubnet[]> {
    const subnets = await this.#api.run("config-get", configSchema);
    return (subnets ?? []).flatMap((subnet) => {
      const owner = keaOwnerIn(subnet);
      return owner ? [{ ...owner, prefix: subnet.subnet }] : [];
    });
  }

  lacks(): Promise<string[]> {
    return this.#api.missingHooks();
  }

  #found({ prefix }: OwnedSubnet): Promise<KeaSubnet | undefined> {
    return this.#api.run("subnet4-get", foundSchema, { subnet: prefix });
  }

  /** The subnet, if it exists. Throws Taken if it is somebody else's. */
  async #mine(subnet: OwnedSubnet): Promise<KeaSubnet | undefined> {
    const found = await this.#found(subnet);
    if (found && !isOf(subnet, found)) throw taken(subnet);
    return found;
  }

  async #add(subnet: OwnedSubnet, wanted: ReturnType<typeof subnetFor>): Promise<void> {
    try {
      await this.#change("subnet4-add", { subnet4: [wanted] });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      // Either another attempt has created it meanwhile, or another subnet has its id.
      if (!(await this.#mine(subnet))) throw taken(subnet, error);
    }
  }

  async #update(subnet: OwnedSubnet, wanted: ReturnType<typeof subnetFor>): Promise<void> {
    try {
      await this.#change("subnet4-update", { subnet4: [wanted] });
    } catch (error) {
      if (error instanceof KeaRefusal && !(await this.#found(subnet))) throw lost();
      throw error;
    }
  }

  /** The owner's reservations; others in the subnet were added by people and stay. */
  async #reservations(subnet: OwnedSubnet): Promise<Reservation[]> {
    const args = { "subnet-id": idOf(subnet), ...inMemory };
    const found = await this.#api.run("reservation-get-all", hostsSchema, args);
    return (found?.hosts ?? [])
      .filter((host) => isOf(subnet, host))
      .map(reservationOf)
      .toSorted(byMac);
  }

  async #release(subnet: OwnedSubnet, { mac, address }: Reservation): Promise<void> {
    const id = idOf(subnet);
    const named = { "identifier-type": "hw-address", identifier: mac };
    // The lease first: if this call is cut off, the next one finds the lease by its reservation.
    if (address !== undefined) await this.#dropLeases(id, (leased) => leased === address);
    await this.#change("reservation-del", { "subnet-id": id, ...named, ...inMemory });
  }

  /** Deletes leases, so that their addresses are available at once. */
  async #dropLeases(id: number, isMeant: (address: string) => boolean): Promise<void> {
    const found = await this.#api.run("lease4-get-all", leasesSchema, { subnets: [id] });
    const addresses = (found?.leases ?? []).map((lease) => lease["ip-address"]);
    for (const address of addresses.filter(isMeant))
      await this.#change("lease4-del", { "ip-address": address });
  }

  async #change(
    command: Parameters<KeaApi["run"]>[0],
    args: Record<string, unknown>,
  ): Promise<void> {
    await this.#api.run(command, anything, args);
  }

  async #write(): Promise<void> {
    try {
      await this.#api.run("config-write", anything);
    } catch (error) {
      if (!(error instanceof KeaRefusal)) throw error;
      const message = `the DHCP server cannot write its configuration: ${error.message}`;
      throw new AppError("Unavailable", message, { cause: error });
    }
  }
}

const byMac = (one: Reservation, other: Reservation): number => (one.mac < other.mac ? -1 : 1);

function isOf(subnet: OwnedSubnet, object: Parameters<typeof keaOwnerIn>[0]): boolean {
  const owner = keaOwnerIn(object);
  return owner !== undefined && isSameOwner(owner, subnet);
}

const isDuplicate = (error: unknown): boolean =>
  error instanceof KeaRefusal && /already (in use|exists)/.test(error.message);

const taken = ({ prefix }: OwnedSubnet, cause?: unknown): Taken =>
  new Taken("prefix", `another owner has ${prefix} at the DHCP server`, { cause });

const lost = (): AppError =>
  new AppError("Unavailable", "the DHCP server has lost a change; it is made again");
