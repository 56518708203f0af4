import type { DatabaseSync } from "node:sqlite";
import { AppError } from "../core/error.ts";
import { parseAddress } from "../core/ports/bare-metal/redfish/address.ts";
import { type Host, hostId } from "./host.ts";

/** The machines of a world, and the names and addresses that must be unique among them. Durable. */
export class Hosts {
  readonly #database: DatabaseSync;
  readonly #hosts = new Map<string, Host>();
  readonly #macs = new Set<string>();
  /** The hosts in the URLs of all controllers, of servers and DPUs. */
  readonly #controllers = new Set<string>();
  /** The number of machines at each hub. */
  readonly #counts = new Map<string, number>();
  /** The NICs of all machines; undefined after a machine was added, until they are read again. */
  #nics: Host["nics"] | undefined;

  constructor(database: DatabaseSync) {
    database.exec(
      "CREATE TABLE IF NOT EXISTS hosts (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT",
    );
    this.#database = database;
    // The column holds only values that this class has written.
    for (const { body } of database.prepare("SELECT body FROM hosts ORDER BY rowid").all())
      this.#know(JSON.parse(String(body)) as Host);
  }

  list(): Host[] {
    return [...this.#hosts.values()];
  }

  get(id: string): Host | undefined {
    return this.#hosts.get(id);
  }

  /** The NICs of all machines. */
  nics(): Host["nics"] {
    this.#nics ??= this.list().flatMap(({ nics }) => nics);
    return this.#nics;
  }

  /** The number of machines at a hub. */
  countAt(hub: string): number {
    return this.#counts.get(hub) ?? 0;
  }

  hasController(host: string): boolean {
    return this.#controllers.has(host);
  }

  /** Reserves a controller's address for a DPU or a server. */
  addController(controller: string): void {
    this.#controllers.add(controller);
  }

  /**
   * Throws AlreadyExists for a name, a MAC address or a controller in use, Invalid for an invalid controller address.
   */
  refuseTaken({ name, nics, bmc, server }: Pick<Host, "name" | "nics" | "bmc" | "server">): void {
    if (this.#hosts.has(hostId(name))) throw exists(`host ${name}`);
    const taken = nics.find(({ mac }) => this.#macs.has(mac));
    if (taken) throw exists(`a host with MAC address ${taken.mac}`);
    if (!server) return;
    const controller = controllerOf({ bmc });
    if (this.#controllers.has(controller))
      throw exists(`a server with the controller ${controller}`);
  }

  add(host: Host): void {
    this.#database.prepare("INSERT INTO hosts VALUES (?, ?)").run(host.id, JSON.stringify(host));
    this.#know(host);
    this.#nics = undefined;
  }

  #know(host: Host): void {
    this.#hosts.set(host.id, host);
    for (const { mac } of host.nics) this.#macs.add(mac);
    if (host.server) this.#controllers.add(controllerOf(host));
    this.#counts.set(host.hub, this.countAt(host.hub) + 1);
  }
}

const exists = (what: string) => new AppError("AlreadyExists", `${what} already exists`);

/** The host in the URL of a controller. Throws Invalid. */
export const controllerOf = ({ bmc }: Pick<Host, "bmc">): string =>
  new URL(parseAddress(bmc.address).url).host;
