import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";

const systems = [
  "hub",
  "fabric",
  "dhcp",
  "dns",
  "storage",
  "bmc",
  "inventory",
  "machines",
  "worker",
] as const;
const faultKinds = [
  "error",
  "timeout",
  "crash_before",
  "crash_after",
  "slow",
  "conflict",
  "ignore",
  "hold",
] as const;

/**
 * The events at a hub that a fault can delay: the end of an agent's reclaim, an agent's report of its network,
 * or DHCP's answer on the network that hosts boot from.
 */
export type Holdable = "reclaim" | "network" | "address";

/** Faults other than of requests: `hold` lasts as long as the fault; `error` happens at the next occurrence. */
const beside = {
  hub: { hold: /^(reclaim|network|address)( \S+)?$/, error: /^install( \S+)?$/ },
  bmc: {
    hold: /^(power|address|image|phone home|agent|applied|sessions|relay|wipe (refuses|fails|lies)|links foreign|tasks (untold|unknown)|another server|server of \S+|firmware (fails|stays)|metal3 (registration|provisioning|power management) error)$/,
    error: /^(boot|boot \S+|mac \S+)$/,
  },
} as const;

const isBeside = (target: string, how: "hold" | "error", operation = ""): boolean => {
  const [system = ""] = target.split(":");
  return (
    Object.hasOwn(beside, system) && beside[system as keyof typeof beside][how].test(operation)
  );
};

export const faultSchema = z
  .strictObject({
    target: z.union([z.enum(systems), z.string().regex(/^(hub|bmc):[^\s/]+$/)], {
      error: `must be one of ${systems.join(", ")}, or hub:<id> or bmc:<host>`,
    }),
    /**
     * For requests a method (`PATCH`), also with a path prefix (`PATCH /apis/`); for a worker a step's name. All when
     * absent.
     *
     * For a hub, `error`: `install [<host>]`: the next installation of an agent fails. `hold`: `reclaim`, `network` or
     * `address`, each also with a host: it does not happen.
     *
     * For a controller, `error`:
     * - `boot`, `boot <hub>`: the server boots its disk, or that hub's image, whatever was set.
     * - `mac <host>`: its agent reports the MAC addresses of that host.
     *
     * For a controller, `hold`:
     * - `power`: the server's power does not come on. `address`: DHCP does not answer.
     * - `image`: the installer cannot write the image. `phone home`: the system never reports its start.
     * - `wipe refuses`, `wipe fails`, `wipe lies`: these `driveFaults` for all drives.
     * - `firmware fails`, `firmware stays`: these `firmwareFaults`.
     * - `links foreign`: its links have another host name.
     * - `tasks untold`: it accepts changes without naming their tasks. `tasks unknown`: it does not know the tasks
     *   either, and its drives show none.
     * - `another server`, `server of <host>`: that server answers at its address.
     * - `metal3 registration error` and the like: Metal3's operator fails at that.
     * - Of a DPU: `agent`: it is silent. `applied`: it never reports an applied network. `sessions`: they do not come
     *   up. `relay`: its host gets no address.
     */
    operation: z.string().min(1).max(512).optional(),
    fault: z.enum(faultKinds),
    /** How often the fault happens; 0 means every time. */
    count: z.int().min(0).default(1),
    /** The status of an `error`. */
    status: z.int().min(400).max(599).default(422),
  })
  .superRefine(({ target, operation, fault }, context) => {
    const issue = (message: string) =>
      context.addIssue({ code: "custom", path: ["operation"], message });
    const isHold = isBeside(target, "hold", operation);
    if (isHold !== (fault === "hold"))
      issue(
        "reclaim, network and address of a hub and power, address, image, phone home, agent, applied, sessions, relay, wipe, links, tasks, another server, server of a host, firmware and metal3 of a bmc can be held, nothing else",
      );
    if (fault === "ignore" && !(target.startsWith("bmc") && /^(POST|PATCH)/.test(operation ?? "")))
      issue("POST and PATCH of a bmc can be ignored, and nothing else");
    if (target === "worker" || operation === undefined || isHold) return;
    if (isBeside(target, "error", operation)) {
      if (fault !== "error") issue("it can only go wrong: its fault must be error");
    } else if (!/^(GET|POST|PUT|PATCH|DELETE)( \/\S*)?$/.test(operation)) {
      issue("must be a method, or one with the beginning of a path, such as PATCH /apis/");
    }
  });
export type FaultInput = z.input<typeof faultSchema>;

export interface Fault extends z.infer<typeof faultSchema> {
  id: number;
  /** The number of occurrences so far. */
  taken: number;
}

/** The pending faults, in the order of their requests. Durable. */
export class Faults {
  readonly #insert;
  readonly #take;
  readonly #clear;
  /** Cached, since they are read before every request and by operators. */
  #known: readonly Fault[];

  constructor(database: DatabaseSync) {
    database.exec(`CREATE TABLE IF NOT EXISTS faults (
      id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL, taken INTEGER NOT NULL DEFAULT 0
    ) STRICT`);
    this.#insert = database.prepare("INSERT INTO faults (body) VALUES (?) RETURNING id");
    this.#take = database.prepare("UPDATE faults SET taken = taken + 1 WHERE id = ?");
    this.#clear = database.prepare("DELETE FROM faults WHERE id = ?");
    const stored = database.prepare("SELECT id, body, taken FROM faults ORDER BY id").all();
    this.#known = stored.map(({ id, body, taken }) => ({
      id: Number(id),
      ...faultSchema.parse(JSON.parse(String(body))),
      taken: Number(taken),
    }));
  }

  /** Adds a fault. Throws a ZodError when the input is wrong. */
  add(input: FaultInput): Fault {
    const parsed = faultSchema.parse(input);
    const id = Number(this.#insert.get(JSON.stringify(parsed))?.id);
    const fault = { id, ...parsed, taken: 0 };
    this.#known = [...this.#known, fault];
    return fault;
  }

  list(): readonly Fault[] {
    return this.#known;
  }

  /** Removes faults; all by default. */
  clear(isMended: (fault: Fault) => boolean = () => true): void {
    for (const fault of this.#known.filter(isMended)) this.#clear.run(fault.id);
    this.#known = this.#known.filter((fault) => !isMended(fault));
  }

  /**
   * The fault for this operation, if any; each call counts as one occurrence. `operation` is a step's name for
   * `worker`, else a method and a path, such as `GET /api/v1/nodes`. The target `machines` is for machines' requests to
   * the site controller. The target of one hub is `hub:<id>`; faults of `hub` apply to it too.
   */
  take(target: string, operation: string): Fault | undefined {
    return this.#takeFirst(target, (fault) => {
      if (fault.operation === undefined) return true;
      return target === "worker"
        ? fault.operation === operation
        : operation.startsWith(fault.operation);
    });
  }

  /** Whether this host's agent fails to install; each call counts as one occurrence. */
  takeInstallation(hub: string, host: string): boolean {
    const asked = ["install", `install ${host}`];
    return !!this.#takeFirst(`hub:${hub}`, ({ operation = "" }) => asked.includes(operation));
  }

  /** Whether a fault holds this up for the host's agent. */
  holds(hub: string, what: Holdable, host: string): boolean {
    return this.heldAt(`hub:${hub}`).some((held) => held === what || held === `${what} ${host}`);
  }

  /** The events at a system that faults delay. */
  heldAt(system: string): string[] {
    const targets = [system, system.split(":")[0]];
    return this.#known.flatMap(({ target, operation = "", fault }) =>
      fault === "hold" && targets.includes(target) ? [operation] : [],
    );
  }

  /** What a fault makes a host boot instead: its disk, or a hub's image; counts as one occurrence. */
  takeBoot(host: string): { hub?: string } | undefined {
    const taken = this.#takeFirst(`bmc:${host}`, ({ operation = "" }) => /^boot\b/.test(operation));
    const hub = taken?.operation?.split(" ")[1];
    return taken && { ...(hub !== undefined && { hub }) };
  }

  /** The host whose MAC addresses the agent of this one reports; counts as one occurrence. */
  takeMac(host: string): string | undefined {
    const taken = this.#takeFirst(`bmc:${host}`, ({ operation = "" }) => /^mac /.test(operation));
    return taken?.operation?.split(" ")[1];
  }

  #takeFirst(target: string, matches: (fault: Fault) => boolean): Fault | undefined {
    const targets = [target, target.split(":")[0]];
    const found = this.#known.find(
      (fault) =>
        targets.includes(fault.target) &&
        (fault.count === 0 || fault.taken < fault.count) &&
        matches(fault),
    );
    if (!found) return undefined;
    this.#take.run(found.id);
    const taken = { ...found, taken: found.taken + 1 };
    this.#known = this.#known.map((fault) => (fault === found ? taken : fault));
    return found;
  }
}
