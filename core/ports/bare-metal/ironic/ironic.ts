import * as z from "zod";
import { AppError } from "../../../error.ts";
import { type Identity, identityIn } from "../identity.ts";
import type {
  BareMetalServer,
  BootSource,
  NextBoot,
  ServerHardware,
  ServerIdentity,
  ServerObservation,
  TaskId,
} from "../server.ts";
import type { IronicApi } from "./api.ts";
import { hardwareAt, IronicDrives } from "./drives.ts";
import {
  type IronicNode,
  ironicPowerOf,
  ironicTaskOf,
  isCleaning,
  lastTask,
  nodeFieldsOf,
  nodeSchema,
} from "./node.ts";
import { giveUp, take } from "./provision.ts";

const bootSchema = z.object({
  boot_device: z.string().nullable(),
  persistent: z.boolean().nullable(),
});
const mediaSchema = z.array(
  z.looseObject({ inserted: z.boolean().nullable(), image: z.string().nullable() }),
);
const portsSchema = z.object({ ports: z.array(z.object({ address: z.string() })) });

/**
 * A node of OpenStack's bare metal service, by its name or its UUID. Ironic reports the power state of its
 * last poll, about a minute old, and locks a node while it works on it: requests meanwhile are Unavailable.
 * It inserts a copy of an image, which it serves itself.
 */
export class IronicServer implements BareMetalServer {
  readonly #api: IronicApi;
  readonly #path: string;
  readonly #node: string;
  readonly drives: IronicDrives;

  constructor(api: IronicApi, node: string) {
    this.#api = api;
    this.#node = encodeURIComponent(node);
    this.#path = `/v1/nodes/${this.#node}`;
    this.drives = new IronicDrives(api, this.#path);
  }

  take(host: string): Promise<void> {
    return take(this.#api, this.#path, host);
  }

  giveUp(host: string): Promise<void> {
    return giveUp(this.#api, this.#path, host);
  }

  async observe(asked?: TaskId): Promise<ServerObservation> {
    const node = await this.#read();
    const now = {
      power: ironicPowerOf(node),
      ...(asked !== undefined && { task: ironicTaskOf(node, asked) }),
    };
    // Meanwhile Ironic does not answer requests for the boot device.
    if (isCleaning(node) || now.task?.state === "pending") return now;
    const nextBoot = nextBootOf(await this.#boot());
    const media = await this.#media();
    return { ...now, ...(nextBoot && { nextBoot }), ...(media !== undefined && { media }) };
  }

  /** The node's UUID: by its address Ironic itself is responsible for which server the node is. */
  async identity(): Promise<Identity> {
    return identityIn({ record: (await this.#read()).uuid });
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
    const power = ironicPowerOf(await this.#read());
    return power === "on" || power === "turning_on" ? undefined : this.#power("power on");
  }

  async powerOff(how: "graceful" | "forced"): Promise<TaskId | undefined> {
    const power = ironicPowerOf(await this.#read());
    // Ironic ends an unfinished shutdown by force.
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
    return lastTask;
  }

  async ejectMedia(): Promise<TaskId | undefined> {
    if ((await this.#media()) === undefined) return undefined;
    await this.#api.change("DELETE", `${this.#path}/vmedia`);
    return lastTask;
  }

  hardware(): Promise<ServerHardware> {
    return hardwareAt(this.#api, this.#path);
  }

  async close(): Promise<void> {
    // Ironic has the sessions at controllers, not its clients.
  }

  async #power(target: string): Promise<TaskId> {
    await this.#api.change("PUT", `${this.#path}/states/power`, { target });
    return lastTask;
  }

  #read(): Promise<IronicNode> {
    return this.#api.read(`${this.#path}?fields=${nodeFieldsOf(nodeSchema)}`, nodeSchema);
  }

  #boot() {
    return this.#api.read(`${this.#path}/management/boot_device`, bootSchema);
  }

  async #media(): Promise<string | undefined> {
    const drives = await this.#api.read(`${this.#path}/vmedia`, mediaSchema);
    return drives.find(({ inserted }) => inserted)?.image ?? undefined;
  }
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
