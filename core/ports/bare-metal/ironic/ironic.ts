import * as z from "zod";
import { AppError } from "../../../error.ts";
import type {
  BareMetalServer,
  BootSource,
  NextBoot,
  PowerState,
  ServerIdentity,
  ServerObservation,
  TaskId,
  TaskObservation,
} from "../server.ts";
import type { IronicApi } from "./api.ts";

const nodeSchema = z.looseObject({
  uuid: z.string(),
  power_state: z.string().nullable(),
  target_power_state: z.string().nullable(),
  last_error: z.string().nullable(),
  reservation: z.string().nullable(),
});
type Node = z.infer<typeof nodeSchema>;
const nodeFields = Object.keys(nodeSchema.shape).join(",");

const bootSchema = z.object({
  boot_device: z.string().nullable(),
  persistent: z.boolean().nullable(),
});
const mediaSchema = z.array(
  z.looseObject({ inserted: z.boolean().nullable(), image: z.string().nullable() }),
);
const portsSchema = z.object({ ports: z.array(z.object({ address: z.string() })) });

/** Ironic works on one thing of a node at a time, and keeps one error, so a task needs no name of its own. */
const task: TaskId = "last";

/**
 * A node of OpenStack's bare metal service, by its name or its UUID. The service has the power that it saw
 * when it last looked, about a minute ago, and locks a node while it works on it: what is asked meanwhile
 * is Unavailable. It inserts a copy of an image, which it serves itself.
 */
export class IronicServer implements BareMetalServer {
  readonly #api: IronicApi;
  readonly #path: string;
  readonly #node: string;

  constructor(api: IronicApi, node: string) {
    this.#api = api;
    this.#node = encodeURIComponent(node);
    this.#path = `/v1/nodes/${this.#node}`;
  }

  async observe(asked?: TaskId): Promise<ServerObservation> {
    const node = await this.#read();
    const nextBoot = nextBootOf(await this.#boot());
    const media = await this.#media();
    return {
      power: powerOf(node),
      ...(nextBoot && { nextBoot }),
      ...(media !== undefined && { media }),
      ...(asked !== undefined && { task: taskOf(node) }),
    };
  }

  async identify(): Promise<ServerIdentity> {
    const { uuid } = await this.#read();
    const { ports } = await this.#api.read(
      `/v1/ports?node=${this.#node}&fields=address`,
      portsSchema,
    );
    return { uuid, macs: ports.map(({ address }) => address.toLowerCase()) };
  }

  async powerOn(): Promise<TaskId | undefined> {
    const power = powerOf(await this.#read());
    return power === "on" || power === "turning_on" ? undefined : this.#power("power on");
  }

  async powerOff(how: "graceful" | "forced"): Promise<TaskId | undefined> {
    const power = powerOf(await this.#read());
    // A shutdown that an operating system does not finish is ended by force.
    if (power === "off" || (how === "graceful" && power === "turning_off")) return undefined;
    return this.#power(how === "graceful" ? "soft power off" : "power off");
  }

  powerCycle(): Promise<TaskId | undefined> {
    return this.#power("rebooting");
  }

  async bootOnce(source: BootSource): Promise<undefined> {
    const device = deviceOf(source);
    const { boot_device, persistent } = await this.#boot();
    if (boot_device === device && persistent === false) return;
    const body = { boot_device: device, persistent: false };
    await this.#api.change("PUT", `${this.#path}/management/boot_device`, body);
  }

  async insertMedia(image: string): Promise<TaskId> {
    const body = { device_type: "cdrom", image_url: image };
    await this.#api.change("POST", `${this.#path}/vmedia`, body);
    return task;
  }

  async ejectMedia(): Promise<TaskId | undefined> {
    if ((await this.#media()) === undefined) return undefined;
    await this.#api.change("DELETE", `${this.#path}/vmedia`);
    return task;
  }

  async close(): Promise<void> {
    // The service has sessions at controllers, not its clients.
  }

  async #power(target: string): Promise<TaskId> {
    await this.#api.change("PUT", `${this.#path}/states/power`, { target });
    return task;
  }

  #read(): Promise<Node> {
    return this.#api.read(`${this.#path}?fields=${nodeFields}`, nodeSchema);
  }

  #boot() {
    return this.#api.read(`${this.#path}/management/boot_device`, bootSchema);
  }

  async #media(): Promise<string | undefined> {
    const drives = await this.#api.read(`${this.#path}/vmedia`, mediaSchema);
    return drives.find(({ inserted }) => inserted)?.image ?? undefined;
  }
}

const targets: Record<string, PowerState> = {
  "power on": "turning_on",
  rebooting: "turning_on",
  "soft rebooting": "turning_on",
  "power off": "turning_off",
  "soft power off": "turning_off",
};

function powerOf({ power_state, target_power_state }: Node): PowerState {
  if (target_power_state !== null) return targets[target_power_state] ?? "unknown";
  if (power_state === "power on") return "on";
  return power_state === "power off" ? "off" : "unknown";
}

/** The service clears a node's error when it begins something new. */
function taskOf({ target_power_state, reservation, last_error }: Node): TaskObservation {
  if (target_power_state !== null || reservation !== null)
    return { state: "pending", message: "the bare metal service works on the node" };
  if (last_error !== null)
    return { state: "failed", message: `the bare metal service has failed: ${last_error}` };
  return { state: "done", message: "the bare metal service is done" };
}

const devices = { media: "cdrom", network: "pxe", disk: "disk" } as const;

function deviceOf({ from }: BootSource): string {
  if (from !== "http") return devices[from];
  throw new AppError("Rejected", "the bare metal service boots no server from a URL");
}

function nextBootOf({ boot_device, persistent }: z.infer<typeof bootSchema>): NextBoot | undefined {
  if (boot_device === null || (boot_device === devices.disk && persistent !== false))
    return undefined;
  const sources = Object.entries(devices) as [keyof typeof devices, string][];
  const from = sources.find(([, device]) => device === boot_device)?.[0] ?? "other";
  return { from, isOnce: persistent === false };
}
