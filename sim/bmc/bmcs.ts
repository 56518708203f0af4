import type { DatabaseSync } from "node:sqlite";
import { v5 } from "uuid";
import { type Clock, systemClock } from "../../core/clock.ts";
import type { Faults } from "../faults.ts";
import { Disconnected, faulty } from "../faulty.ts";
import type { FetchHandler } from "../kubernetes/api.ts";
import { controllerApi } from "./controller.ts";
import { errorResponse, refuse } from "./error.ts";
import { type FirmwareFault, firmwareFaults } from "./firmware.ts";
import { type DriveFault, driveFaults } from "./hardware.ts";
import { lies, lying } from "./lies.ts";
import { type Credential, type Machine, newMachine, profileOf } from "./machine.ts";
import { Machines } from "./machines.ts";
import { Sessions } from "./sessions.ts";

export interface BmcsOptions {
  /** From `openDatabase`; the caller closes it. */
  database: DatabaseSync;
  /** The simulated clock. */
  clock: Clock;
  /** The real clock, for sessions and connections. */
  wall?: Clock;
  random?: () => number;
  faults: Pick<Faults, "take" | "heldAt">;
  /** A machine's name in faults; its id by default. */
  nameOf?: (id: string) => string;
}

/**
 * Whether a machine is another owner's server. A fault puts it behind the address of a machine of
 * ours.
 */
export const isAnother = (id: string): boolean => id.startsWith("another-");

/** The prefix of the fault that puts the server of this name behind another machine's address. */
const serverOf = "server of ";

/** The management controllers (BMCs) of simulated servers, each with the behaviour of its vendor. Durable. */
export class SimulatedBmcs {
  /** The credential of all controllers that have none of their own. */
  readonly credential: Credential = { username: "slipway", password: "calvin-and-hobbes" };
  readonly machines: Machines;
  /**
   * Writes that reached one of our machines at the address of another machine, except writes to
   * sessions.
   */
  readonly misdirected = new Set<string>();
  readonly #options: Required<BmcsOptions>;
  readonly #handlers = new Map<string, { sessions: Sessions; handler: FetchHandler }>();
  readonly #failures = new Map<string, string>();

  constructor(options: BmcsOptions) {
    const { database, clock, faults, nameOf = (id) => id } = options;
    this.#options = { wall: systemClock, random: Math.random, nameOf, ...options };
    this.machines = new Machines(database, clock, ({ id }) =>
      faults.heldAt(`bmc:${nameOf(id)}`).includes("power"),
    );
  }

  /** Adds a server with its controller, powered off, unless it exists. */
  add(machine: Parameters<typeof newMachine>[0]): void {
    if (!this.machines.get(machine.id)) this.machines.put(newMachine(machine));
  }

  /** Answers a request to the controller with the host of the URL. */
  readonly handle: FetchHandler = async (request) => {
    const machine = this.machines.get(new URL(request.url).host);
    if (!machine) return errorResponse(new Error("no such controller"));
    if ((machine.silentUntil ?? 0) > this.#options.clock.now()) throw new Disconnected();
    const behind = this.#behind(machine);
    if (behind.id !== machine.id && !isAnother(behind.id)) this.#note(request, machine, behind);
    return this.#of(behind).handler(request);
  };

  #note({ method, url }: Request, { id }: Machine, behind: Machine): void {
    const { nameOf } = this.#options;
    const { pathname } = new URL(url);
    if (method === "GET" || /\/Sessions(\/|$)/.test(pathname)) return;
    this.misdirected.add(
      `${nameOf(behind.id)} was touched at the address of ${nameOf(id)}: ${method} ${pathname}`,
    );
  }

  /** The machine that answers at this machine's address now. */
  #behind(machine: Machine): Machine {
    const { faults, nameOf } = this.#options;
    const held = faults.heldAt(`bmc:${nameOf(machine.id)}`);
    if (held.includes("another server")) return this.another(machine);
    const name = held.find((each) => each.startsWith(serverOf))?.slice(serverOf.length);
    const other = name && this.machines.list().find(({ id }) => nameOf(id) === name);
    return other || machine;
  }

  /**
   * The other owner's server behind a machine's address during the fault `another server`: it runs, with data on its
   * drives.
   */
  another(of: Machine): Machine {
    const { id, controller, vendor, serial, credential } = of;
    const name = `another-${id}`;
    const known = this.machines.get(name);
    if (known) return known;
    const made = newMachine({
      ...{ id: name, controller: `another-${controller}`, vendor, serial: `ANOTHER-${serial}` },
      ...{ uuid: v5(name, v5.URL), macs: [], ...(credential && { credential }) },
    });
    const drives = made.drives.map((drive) => ({ ...drive, written: "somebody else" }));
    const running: Machine = { ...made, drives, power: "On", booted: { from: "disk" } };
    this.machines.put(running);
    return running;
  }

  /** Changes to servers of other owners, which nobody may make. */
  touched(): string[] {
    return this.machines.list().flatMap(({ id, power, booted, boot, images, drives, tasks }) => {
      if (!isAnother(id)) return [];
      const isAsItWas =
        power === "On" &&
        booted?.from === "disk" &&
        boot.enabled === "Disabled" &&
        Object.keys(images).length === 0 &&
        tasks.length === 0 &&
        drives.every(({ written }) => written !== undefined);
      return isAsItWas ? [] : [`the server behind ${id} was touched, which is somebody else's`];
    });
  }

  /** The fault of all erasures of a machine's drives. */
  readonly erasureFault = ({ id }: Machine): DriveFault | undefined => {
    const { faults, nameOf } = this.#options;
    return driveFaults.find((fault) =>
      faults.heldAt(`bmc:${nameOf(id)}`).includes(`wipe ${fault}`),
    );
  };

  /** The fault of a machine's firmware updates. */
  readonly firmwareFault = ({ id }: Machine): FirmwareFault | undefined => {
    const { faults, nameOf } = this.#options;
    return firmwareFaults.find((fault) =>
      faults.heldAt(`bmc:${nameOf(id)}`).includes(`firmware ${fault}`),
    );
  };

  /** Makes the machine's next settings task fail with this message. */
  failNextTask(id: string, message: string): void {
    this.#failures.set(id, message);
  }

  /** Metal3's access to the controllers, with its own faults. */
  get forMetal3() {
    const { faults, nameOf } = this.#options;
    return {
      machines: this.machines,
      machineOf: (address: string) => {
        const known = this.machines.get(new URL(address).host);
        return known && this.#behind(known);
      },
      accepts: ({ credential = this.credential }: Machine, given: Credential) =>
        given.username === credential.username && given.password === credential.password,
      fails: (what: string, { id }: Machine) =>
        faults.heldAt(`bmc:${nameOf(id)}`).includes(`metal3 ${what}`),
    };
  }

  /** Ends the timers. To continue, open the controllers again. */
  stop(): void {
    this.machines.stop();
  }

  /** The number of open sessions at a machine's controller. */
  sessions(id: string): number {
    return this.#handlers.get(id)?.sessions.count ?? 0;
  }

  #of(machine: Machine) {
    const known = this.#handlers.get(machine.id);
    if (known) return known;
    const { clock, wall, random, faults, nameOf } = this.#options;
    const sessions = new Sessions(wall, profileOf(machine).sessions);
    const newId = () => Math.floor(random() * 2 ** 48).toString(16);
    const failure = ({ id }: Machine) => {
      const message = this.#failures.get(id);
      this.#failures.delete(id);
      return message;
    };
    const { machines, erasureFault, firmwareFault } = this;
    const { credential = this.credential } = machine;
    const app = controllerApi(machine, {
      ...{ machines, clock, sessions, credential, newId, failure, erasureFault, firmwareFault },
    });
    const take = (operation: string) => faults.take(`bmc:${nameOf(machine.id)}`, operation);
    const undone = async (work: () => Promise<Response>) => {
      const before = machines.get(machine.id);
      const response = await work();
      if (before) machines.put(before);
      return response;
    };
    const around = { take, clock, wall, refuse, undone };
    const told = () => {
      const held = faults.heldAt(`bmc:${nameOf(machine.id)}`);
      return lies.filter((lie) => held.includes(lie));
    };
    const honest: FetchHandler = async (request) => app.fetch(request);
    const handler = faulty(lying(honest, told), around);
    const made = { sessions, handler };
    this.#handlers.set(machine.id, made);
    return made;
  }
}
