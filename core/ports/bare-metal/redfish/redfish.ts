import * as z from "zod";
import { AppError } from "../../../error.ts";
import type { HttpReply } from "../../../http.ts";
import { type Identity, identityIn, serialIn } from "../identity.ts";
import type {
  BareMetalServer,
  BootSource,
  PowerState,
  ServerHardware,
  ServerIdentity,
  ServerObservation,
  TaskId,
} from "../server.ts";
import { parseAddress } from "./address.ts";
import { RedfishApi, type RedfishApiOptions } from "./api.ts";
import { bootChange, bootResource, nextBootOf } from "./boot.ts";
import { observeAny } from "./drive-erasure.ts";
import { RedfishDrives } from "./drives.ts";
import type { EntityTags } from "./entity-tag.ts";
import { RedfishRefusal, redfishError } from "./error.ts";
import { RedfishFirmware } from "./firmware.ts";
import { hardwareOf } from "./hardware.ts";
import { eject, imageIn, insert, slotsOf, slotsShown } from "./media.ts";
import { powerOf, type Reset, reset } from "./power.ts";
import { listOf, onlySystem, type RedfishSystem, systemSchema, toldOrNone } from "./system.ts";
import { taskOf } from "./task.ts";

export interface RedfishOptions extends Omit<RedfishApiOptions, "url"> {
  /** The address of the controller, such as redfish://10.0.0.1/redfish/v1/Systems/1. */
  address: string;
}

/** A server behind a Redfish controller (DSP0266). */
export class RedfishServer implements BareMetalServer {
  readonly #api: RedfishApi;
  readonly drives: RedfishDrives;
  readonly firmware: RedfishFirmware;
  /** The path of the system, once it is known. */
  #system: string | undefined;
  /** Whether the address names the system. */
  readonly #isNamed: boolean;
  /** The system as read for `identity`, reused by the next read. */
  #ahead: { system: RedfishSystem; tags: EntityTags } | undefined;

  constructor({ address, ...options }: RedfishOptions) {
    const { url, system } = parseAddress(address);
    this.#system = system;
    this.#isNamed = system !== undefined;
    this.#api = new RedfishApi({ ...options, url });
    const read = async () => (await this.#read()).system;
    this.drives = new RedfishDrives(this.#api, read);
    this.firmware = new RedfishFirmware(this.#api, read);
  }

  async observe(task?: TaskId): Promise<ServerObservation> {
    const { system, tags } = await this.#read();
    const { boot } = await bootResource(this.#api, system, tags);
    const slots = await slotsShown(this.#api, system);
    const nextBoot = nextBootOf(boot);
    const media = slots.map(imageIn).find((image) => image !== undefined);
    return {
      power: powerOf(system),
      ...(nextBoot && { nextBoot }),
      ...(media !== undefined && { media }),
      ...(task !== undefined && { task: await observeAny(this.#api, task) }),
    };
  }

  /** The next read reuses this one: callers that compare the identity continue at once. */
  async identity(): Promise<Identity> {
    const read = await this.#read();
    this.#ahead = read;
    const { SerialNumber: serial, UUID: uuid } = read.system;
    return identityIn({ serial, uuid });
  }

  /** Dell's inventories use what Redfish calls the SKU, and others the serial number of the chassis. */
  async bears(serial: string): Promise<boolean> {
    const { system } = await this.#read();
    this.#ahead = undefined;
    const chassis = await Promise.all(
      (system.Links?.Chassis ?? []).map((each) => this.#api.read(each["@odata.id"], labelSchema)),
    );
    const labels = [system, ...chassis].flatMap(({ SerialNumber, SKU }) => [SerialNumber, SKU]);
    return labels.some((label) => serialIn(label) === serialIn(serial));
  }

  async identify(): Promise<ServerIdentity> {
    const { system } = await this.#read();
    const { UUID, SerialNumber, Manufacturer, Model } = system;
    return {
      ...(UUID && { uuid: UUID.toLowerCase() }),
      ...(SerialNumber && { serial: SerialNumber }),
      ...(Manufacturer && { manufacturer: Manufacturer }),
      ...(Model && { model: Model }),
      macs: await this.#macs(system),
    };
  }

  async hardware(): Promise<ServerHardware> {
    return hardwareOf(this.#api, (await this.#read()).system);
  }

  powerOn(): Promise<TaskId | undefined> {
    return this.#reset("on", (power) => power === "on" || power === "turning_on");
  }

  powerOff(how: "graceful" | "forced"): Promise<TaskId | undefined> {
    return this.#reset(
      how,
      // The controller ends an unfinished shutdown by force.
      (power) => power === "off" || (how === "graceful" && power === "turning_off"),
    );
  }

  async powerCycle(): Promise<TaskId | undefined> {
    const { system } = await this.#read();
    if (powerOf(system) === "off") return this.powerOn();
    return this.#accepted(await reset(this.#api, system, "cycle"), "ComputerSystem.Reset");
  }

  async bootOnce(source: BootSource): Promise<TaskId | undefined> {
    const { system, tags } = await this.#read();
    const { path, tags: current, boot } = await bootResource(this.#api, system, tags);
    const change = bootChange(system, boot, source);
    return change && taskOf(await this.#api.change(path, change, current));
  }

  async insertMedia(image: string): Promise<TaskId | undefined> {
    const slots = await slotsOf(this.#api, (await this.#read()).system);
    if (slots.some((slot) => imageIn(slot) === image)) return undefined;
    for (const slot of slots) if (imageIn(slot) !== undefined) await eject(this.#api, slot);
    return taskOf(await insert(this.#api, slots, image));
  }

  async ejectMedia(): Promise<TaskId | undefined> {
    let task: TaskId | undefined;
    const slots = await slotsShown(this.#api, (await this.#read()).system);
    for (const slot of slots) {
      if (imageIn(slot) === undefined) continue;
      const reply = await eject(this.#api, slot);
      task = reply && taskOf(reply);
    }
    return task;
  }

  close(): Promise<void> {
    return this.#api.close();
  }

  /** Resets the system, unless its power state is as desired. */
  async #reset(purpose: Reset, isSo: (power: PowerState) => boolean): Promise<TaskId | undefined> {
    const { system } = await this.#read();
    if (isSo(powerOf(system))) return undefined;
    const reply = await reset(this.#api, system, purpose);
    // Many controllers refuse a change that has happened in the meantime, each with another status.
    if (reply.status >= 400 && isSo(powerOf((await this.#read()).system))) return undefined;
    return this.#accepted(reply, "ComputerSystem.Reset");
  }

  #accepted(reply: HttpReply, what: string): TaskId | undefined {
    if (reply.status >= 300) throw redfishError(reply, what);
    return taskOf(reply);
  }

  async #read(): Promise<{ system: RedfishSystem; tags: EntityTags }> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead) return ahead;
    this.#system ??= await onlySystem(this.#api);
    const path = this.#system;
    const { resource, tags } = await this.#api
      .readTagged(path, systemSchema)
      .catch((error: unknown) => {
        throw this.#isNamed ? noSuchSystem(error, path) : error;
      });
    return { system: resource, tags };
  }

  async #macs({ EthernetInterfaces }: RedfishSystem): Promise<string[]> {
    const members = toldOrNone(await listOf(this.#api, EthernetInterfaces));
    const nics = await Promise.all(members.map((member) => this.#api.read(member, nicSchema)));
    // Some controllers list interfaces without an address.
    return nics.flatMap(({ MACAddress }) => (MACAddress ? [MACAddress.toLowerCase()] : []));
  }
}

/** A 404 for the system means that the address is wrong, or that another controller answers there. */
function noSuchSystem(error: unknown, path: string): unknown {
  if (!(error instanceof RedfishRefusal && error.status === 404)) return error;
  const message = `the server's controller has no system ${path}, which its address names`;
  return new AppError("NotFound", message, { detail: error.detail ?? "", cause: error });
}

const labelSchema = z.looseObject({
  SerialNumber: z.string().nullish(),
  SKU: z.string().nullish(),
});
const nicSchema = z.looseObject({ MACAddress: z.string().nullish() });
