import { AppError, isKind } from "../../../error.ts";
import { nicMacIn } from "../../../mac.ts";
import type { HubApi } from "../../kubernetes/api.ts";
import { type Identity, identityIn, isNameless } from "../identity.ts";
import type {
  BareMetalServer,
  BootSource,
  ServerHardware,
  ServerIdentity,
  ServerObservation,
  TaskId,
} from "../server.ts";
import { consumerOf, holderOf, isClaimed } from "./claim.ts";
import { controllerDrives } from "./drives.ts";
import {
  type BareMetalHost,
  type BareMetalHostName,
  detachedAnnotation,
  hostNameOf,
  pausedAnnotation,
  rebootAnnotation,
  understood,
} from "./host.ts";
import type { Patch } from "./patch.ts";
import { holdOf, isSettled, metal3StateOf, observed, task } from "./state.ts";

/**
 * Without `force` the operator ignores the annotation for a host without an image, such as one that boots
 * from its disk.
 */
const hardReboot = { mode: "hard", force: true };

export interface Metal3Options {
  api: HubApi;
  at: BareMetalHostName;
  /** The id of the server's host in Slipway. */
  host: string;
  /** Opens the server's own controller at an address; absent if Slipway has no credentials for it. */
  controller?: ((address: string) => Promise<BareMetalServer>) | undefined;
}

/**
 * A server through Metal3's BareMetalHost on a hub; every change also claims the object. At each start of the
 * server the operator boots the object's image, or the disk if it names none, and no other source.
 *
 * The operator erases no drives, and removing the image of a running server makes it switch the server off.
 * For both, the operator detaches the server; Slipway then uses the server's controller directly, until the
 * server is off and the operator manages it again.
 */
export class Metal3Server implements BareMetalServer {
  readonly #options: Metal3Options;
  readonly #name: ReturnType<typeof hostNameOf>;
  #opened: Promise<BareMetalServer> | undefined;
  readonly drives = controllerDrives(() => this.#away());

  constructor(options: Metal3Options) {
    this.#options = options;
    this.#name = hostNameOf(options.at);
  }

  async observe(asked?: TaskId): Promise<ServerObservation> {
    const host = await this.#read();
    if (holdOf(host) !== "away") return observed(host, asked);
    const ofController = asked === task ? undefined : asked;
    const seen = await (await this.#controller(host)).observe(ofController);
    const message = "Metal3 has detached the server";
    return { ...seen, ...(asked === task && { task: { state: "done", message } }) };
  }

  /**
   * The serial number from Metal3's inspection may be outdated, so the controller is asked too, if Slipway
   * can reach it. Many controllers report that number in another field. Before the inspection the number is
   * unknown, and without credentials only the object is known.
   */
  async identity(): Promise<Identity> {
    const host = await this.#read();
    const serial = host.status?.hardware?.systemVendor?.serialNumber;
    const record = host.metadata.uid;
    const found = identityIn({ serial, record });
    if (!this.#options.controller || !host.spec.bmc) return found;
    const controller = await this.#controller(host);
    const told = await controller.identity();
    if (found.serial === undefined) return identityIn({ uuid: told.uuid, record });
    const isNoted = told.serial === found.serial || (await controller.bears?.(found.serial));
    return isNoted || isNameless(told)
      ? identityIn({ ...found, uuid: told.uuid })
      : identityIn({ ...told, record });
  }

  async identify(): Promise<ServerIdentity> {
    const { spec, status } = await this.#read();
    const { nics = [], systemVendor: { manufacturer, productName, serialNumber } = {} } =
      status?.hardware ?? {};
    const macs = nics.flatMap(({ mac }) => nicMacIn(mac) ?? []);
    // Before its inspection a host has only the address in its `spec`.
    const known = spec.bootMACAddress ? [spec.bootMACAddress.toLowerCase()] : [];
    return {
      ...(serialNumber && { serial: serialNumber }),
      ...(manufacturer && { manufacturer }),
      ...(productName && { model: productName }),
      macs: macs.length > 0 ? [...new Set(macs)] : known,
    };
  }

  /** The results of Metal3's inspection. It counts threads, not processors or cores. */
  async hardware(): Promise<ServerHardware> {
    const { ramMebibytes } = (await this.#read()).status?.hardware ?? {};
    return ramMebibytes ? { memory: ramMebibytes * 2 ** 20 } : {};
  }

  async powerOn(): Promise<TaskId | undefined> {
    const host = await this.#read();
    if (holdOf(host) === "away") return (await this.#controller(host)).powerOn();
    return this.#change(({ spec }) => (spec.online ? undefined : { spec: { online: true } }));
  }

  /**
   * The operator asks the operating system first, and cuts the power if that fails. It manages a detached
   * server again once the server is off.
   */
  async powerOff(how: "graceful" | "forced"): Promise<TaskId | undefined> {
    const host = await this.#read();
    if (holdOf(host) === "away") {
      const controller = await this.#controller(host);
      const { power } = await controller.observe();
      if (power !== "off") return controller.powerOff(how);
    }
    return this.#change(({ metadata, spec }) => {
      const isLetGo = detachedAnnotation in metadata.annotations;
      if (!spec.online && !isLetGo) return undefined;
      if (!isLetGo) return { spec: { online: false } };
      const annotations = { [detachedAnnotation]: null };
      return { metadata: { annotations }, spec: { online: false, image: null } };
    });
  }

  async powerCycle(): Promise<TaskId | undefined> {
    const host = await this.#read();
    if (holdOf(host) === "away") return (await this.#controller(host)).powerCycle();
    return this.#change(({ spec }) =>
      spec.online
        ? { metadata: { annotations: { [rebootAnnotation]: JSON.stringify(hardReboot) } } }
        : { spec: { online: true } },
    );
  }

  async bootOnce(source: BootSource): Promise<TaskId | undefined> {
    const host = await this.#read();
    if (holdOf(host) === "away") return (await this.#controller(host)).bootOnce(source);
    if (source.from === (host.spec.image ? "media" : "disk")) return undefined;
    const what = { media: "no image", network: "the network", http: "a URL", disk: "the disk" };
    const now = host.spec.image ? "the image that its object names" : "its disk";
    const message = `Metal3 cannot boot the server from ${what[source.from]}: it boots from ${now}`;
    throw new AppError("Rejected", message);
  }

  async insertMedia(image: string): Promise<TaskId | undefined> {
    const host = await this.#read();
    if (holdOf(host) === "away") return (await this.#controller(host)).insertMedia(image);
    return this.#change(({ spec }) =>
      spec.image?.url === image
        ? undefined
        : { spec: { image: { url: image, format: "live-iso" } } },
    );
  }

  /**
   * Without its image the operator would switch the server off. If Slipway can reach the controller, the
   * operator detaches a running server instead, and the server then boots from its disk.
   */
  async ejectMedia(): Promise<TaskId | undefined> {
    const host = await this.#read();
    const isLetGo = detachedAnnotation in host.metadata.annotations;
    const runs = host.spec.online && host.spec.image !== undefined;
    if (!isLetGo && !(runs && this.#options.controller))
      return this.#change(({ spec }) => (spec.image ? { spec: { image: null } } : undefined));
    const controller = await this.#away();
    // The operator has set the image as the boot source of every boot.
    if ((await controller.observe()).nextBoot?.from === "media")
      await controller.bootOnce({ from: "disk" });
    return controller.ejectMedia();
  }

  /** The operator manages the server again and switches it off; then anybody may use it. */
  async giveUp(host: string): Promise<void> {
    const { api, at } = this.#options;
    await api.change(this.#name, (object): Patch | undefined => {
      // Whoever deleted the object has released everything.
      if (!object || holderOf(understood(object, at)) !== host) return undefined;
      const annotations = { [detachedAnnotation]: null };
      const spec = { consumerRef: null, image: null, online: false };
      return { metadata: { annotations }, spec };
    });
  }

  async close(): Promise<void> {
    await (await this.#opened)?.close();
  }

  /** The controller of a server that the operator has detached. Throws Unavailable until then. */
  async #away(): Promise<BareMetalServer> {
    if (!this.#options.controller)
      throw new AppError(
        "Rejected",
        "Metal3 erases no drives: Slipway does it by the server's controller, and needs a username and a password for that in spec.bmc",
      );
    const host = await this.#read();
    if (holdOf(host) === "away") return this.#controller(host);
    if (isSettled(host)) await this.#detach();
    const message = `Metal3 has not detached the server yet: the host is ${metal3StateOf(host)}`;
    throw new AppError("Unavailable", message);
  }

  #detach(): Promise<TaskId | undefined> {
    // `delay`: a deletion of the object waits until the operator manages the server again.
    const annotations = { [detachedAnnotation]: JSON.stringify({ deleteAction: "delay" }) };
    return this.#change(({ metadata }) =>
      detachedAnnotation in metadata.annotations ? undefined : { metadata: { annotations } },
    );
  }

  #controller({ spec }: BareMetalHost): Promise<BareMetalServer> {
    const { controller } = this.#options;
    const address = spec.bmc?.address;
    if (!controller || address === undefined)
      throw new AppError("Unavailable", "the credentials of the server's controller are missing");
    this.#opened ??= controller(address);
    return this.#opened;
  }

  /**
   * Reads the object, unless somebody else uses it. Throws Unavailable while it is paused, because its status
   * is outdated then and changes have no effect. A detached server does not need the operator.
   */
  async #read(): Promise<BareMetalHost> {
    const { api, at, host: id } = this.#options;
    const host = understood(await api.read(this.#name), at);
    isClaimed(host, id, at);
    if (!(pausedAnnotation in host.metadata.annotations) || holdOf(host) === "away") return host;
    const what = `Metal3 does nothing for the BareMetalHost ${at.namespace}/${at.name}`;
    const why = `it is paused (annotation ${pausedAnnotation})`;
    throw new AppError("Unavailable", `${what}: ${why}`);
  }

  /** Changes the object and claims it in the same write. */
  async #change(patch: (host: BareMetalHost) => Patch | undefined): Promise<TaskId | undefined> {
    const { api, at, host: id } = this.#options;
    let isChanged = false;
    try {
      await api.change(this.#name, (object) => {
        const host = understood(object, at);
        const isOurs = isClaimed(host, id, at);
        const change = patch(host);
        isChanged = change !== undefined;
        if (isOurs) return change;
        // Metal3's own cleaning clears only partition tables, so it must not count as an erasure.
        const claim = { consumerRef: consumerOf(id), automatedCleaningMode: "disabled" } as const;
        return { ...change, spec: { ...change?.spec, ...claim } };
      });
    } catch (error) {
      if (!isKind(error, "Conflict")) throw error;
      // The operator writes often, and has written before each attempt.
      throw new AppError("Unavailable", error.message, { cause: error });
    }
    return isChanged ? task : undefined;
  }
}
