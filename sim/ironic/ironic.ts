import type { DatabaseSync } from "node:sqlite";
import { type Clock, systemClock } from "../../core/clock.ts";
import type { DriveFault } from "../bmc/hardware.ts";
import type { Machine } from "../bmc/machine.ts";
import type { Machines } from "../bmc/machines.ts";
import type { Faults } from "../faults.ts";
import { faulty } from "../faulty.ts";
import type { FetchHandler } from "../kubernetes/api.ts";
import type { LedgerItem } from "../ledger.ts";
import { ironicApi } from "./api.ts";
import { IronicError, refuse } from "./error.ts";
import { nodeClaims } from "./ledger.ts";
import { type NewNode, type Node, newNode, type Worked, worked } from "./node.ts";

export interface IronicOptions {
  /** From `openDatabase`; the caller closes it. */
  database: DatabaseSync;
  /** The servers that the service manages. */
  machines: Machines;
  /** The simulated clock. */
  clock: Clock;
  /** The real clock, for connections. */
  wall?: Clock;
  faults: Pick<Faults, "take">;
  /** The fault of all erasures of a machine's drives; none by default. */
  erasureFault?(machine: Machine): DriveFault | undefined;
}

/** A simulated OpenStack Ironic on top of simulated servers. Durable. */
export class SimulatedIronic {
  readonly credential = { username: "slipway", password: "ironic-and-steel" };
  readonly #machines: Machines;
  readonly #clock: Clock;
  readonly #handler: FetchHandler;
  readonly #get;
  readonly #put;
  readonly #all;
  readonly #delete;
  readonly #erasureFault;
  #failure: string | undefined;

  constructor(options: IronicOptions) {
    const { database, machines, clock, wall = systemClock, faults } = options;
    this.#erasureFault = options.erasureFault ?? (() => undefined);
    database.exec(`CREATE TABLE IF NOT EXISTS ironic_nodes (
      uuid TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, body TEXT NOT NULL
    ) STRICT`);
    this.#get = database.prepare("SELECT body FROM ironic_nodes WHERE uuid = ? OR name = ?");
    this.#put = database.prepare(
      "INSERT INTO ironic_nodes VALUES (?, ?, ?) ON CONFLICT (uuid) DO UPDATE SET body = excluded.body",
    );
    this.#all = database.prepare("SELECT body FROM ironic_nodes ORDER BY rowid");
    this.#delete = database.prepare("DELETE FROM ironic_nodes WHERE uuid = ?");
    this.#machines = machines;
    this.#clock = clock;
    const app = ironicApi(this);
    const take = (operation: string) => faults.take("bmc", operation);
    this.#handler = faulty(async (request) => app.fetch(request), { take, clock, wall, refuse });
  }

  /** Answers a request to the API; the URL's host is ignored. */
  readonly handle: FetchHandler = (request) => this.#handler(request);

  /** Enrolls a machine as a node, unless it is one. */
  enrol(node: Omit<NewNode, "ports">): void {
    const ports = this.#machines.get(node.machine)?.macs ?? [];
    if (!this.#get.get(node.uuid, node.name)) this.#store(newNode({ ...node, ports }));
  }

  /** Creates a node for the machine with this controller. Throws IronicError. */
  create(name: string, controller: string): Node {
    const machine = this.#machines.get(controller);
    if (!machine) throw new IronicError(400, `there is no controller at ${controller}`);
    if (this.#get.get(name, name))
      throw new IronicError(409, `A node with name ${name} already exists.`);
    const node = newNode({
      uuid: machine.id,
      name,
      machine: machine.id,
      state: "enroll",
      ports: [],
    });
    this.#store(node);
    return node;
  }

  /** Deletes a node; its machine remains. */
  delete({ uuid }: Node): void {
    this.#delete.run(uuid);
  }

  nodes(): Worked[] {
    return this.#stored().map(({ uuid }) => this.known(uuid));
  }

  /** A node with its machine, as they are now. Throws IronicError when there is none. */
  known(name: string): Worked {
    const row = this.#get.get(name, name);
    const node: Node | undefined = row && JSON.parse(String(row.body));
    const machine = node && this.#machines.get(node.machine);
    if (!node || !machine) throw new IronicError(404, `Node ${name} could not be found.`);
    const now = worked(node, machine, this.now(), this.#erasureFault);
    if (now.node !== node || now.machine !== machine) this.put(now);
    return now;
  }

  put({ node, machine }: Worked): void {
    this.#store(node);
    this.#machines.put(machine);
  }

  /** The nodes that name a host of Slipway. */
  ledger(): LedgerItem[] {
    return nodeClaims(this.nodes());
  }

  now(): number {
    return this.#clock.now();
  }

  /** The image of a copy's URL; undefined for any other URL. */
  originalOf(copy: string): string | undefined {
    return this.#stored().find(({ copies }) => copies[copy] !== undefined)?.copies[copy];
  }

  /** Makes the next insertion of an image fail with this message. */
  failNextInsertion(message: string): void {
    this.#failure = message;
  }

  takeFailure(): string | undefined {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  #stored(): Node[] {
    return this.#all.all().map(({ body }) => JSON.parse(String(body)));
  }

  #store(node: Node): void {
    this.#put.run(node.uuid, node.name, JSON.stringify(node));
  }
}
