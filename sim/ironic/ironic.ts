import type { DatabaseSync } from "node:sqlite";
import { type Clock, systemClock } from "../../core/clock.ts";
import type { Machines } from "../bmc/machines.ts";
import type { Faults } from "../faults.ts";
import { faulty } from "../faulty.ts";
import type { FetchHandler } from "../kubernetes/api.ts";
import { ironicApi } from "./api.ts";
import { IronicError, refuse } from "./error.ts";
import { type Node, newNode, type Worked, worked } from "./node.ts";

export interface IronicOptions {
  /** From `openDatabase`; the caller closes it. */
  database: DatabaseSync;
  /** The servers that the service manages. */
  machines: Machines;
  /** Simulated time. */
  clock: Clock;
  /** Real time: connections. */
  wall?: Clock;
  faults: Pick<Faults, "take">;
}

/** A simulated bare metal service of OpenStack, over simulated servers. Durable. */
export class SimulatedIronic {
  readonly credential = { username: "slipway", password: "ironic-and-steel" };
  readonly #machines: Machines;
  readonly #clock: Clock;
  readonly #handler: FetchHandler;
  readonly #get;
  readonly #put;
  #failure: string | undefined;

  constructor({ database, machines, clock, wall = systemClock, faults }: IronicOptions) {
    database.exec(`CREATE TABLE IF NOT EXISTS ironic_nodes (
      uuid TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, body TEXT NOT NULL
    ) STRICT`);
    this.#get = database.prepare("SELECT body FROM ironic_nodes WHERE uuid = ? OR name = ?");
    this.#put = database.prepare(
      "INSERT INTO ironic_nodes VALUES (?, ?, ?) ON CONFLICT (uuid) DO UPDATE SET body = excluded.body",
    );
    this.#machines = machines;
    this.#clock = clock;
    const app = ironicApi(this);
    const take = (operation: string) => faults.take("bmc", operation);
    this.#handler = faulty(async (request) => app.fetch(request), { take, clock, wall, refuse });
  }

  /** Answers a request to the API, whatever the host in its URL. */
  readonly handle: FetchHandler = (request) => this.#handler(request);

  /** Enrols a machine as a node, unless it is one. */
  enrol(node: Pick<Node, "uuid" | "name" | "machine">): void {
    if (!this.#get.get(node.uuid, node.name)) this.#store(newNode(node));
  }

  /** A node with its machine, as they are now. Throws IronicError where there is none. */
  known(name: string): Worked {
    const row = this.#get.get(name, name);
    const node: Node | undefined = row && JSON.parse(String(row.body));
    const machine = node && this.#machines.get(node.machine);
    if (!node || !machine) throw new IronicError(404, `Node ${name} could not be found.`);
    const now = worked(node, machine, this.now());
    if (now.node !== node || now.machine !== machine) this.put(now);
    return now;
  }

  put({ node, machine }: Worked): void {
    this.#store(node);
    this.#machines.put(machine);
  }

  now(): number {
    return this.#clock.now();
  }

  /** The URL by which the service itself serves an image to this node's controller. */
  copyOf({ uuid }: Pick<Node, "uuid">, image: string): string {
    const name = image
      .split("/")
      .at(-1)
      ?.replace(/\.iso$/, "");
    return `http://ironic.test:8080/redfish/${name}-${uuid}.iso`;
  }

  /** The next insertion of an image fails with this message. */
  failNextInsertion(message: string): void {
    this.#failure = message;
  }

  takeFailure(): string | undefined {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  #store(node: Node): void {
    this.#put.run(node.uuid, node.name, JSON.stringify(node));
  }
}
