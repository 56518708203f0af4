import type { z } from "zod";
import { AppError, isKind } from "../../../error.ts";
import type { HubApi, MergePatch } from "../../kubernetes/api.ts";
import type { KubeObject } from "../../kubernetes/kube-object.ts";
import type {
  BareMetalServer,
  BootSource,
  PowerState,
  ServerIdentity,
  ServerObservation,
  TaskId,
  TaskObservation,
} from "../server.ts";
import {
  type BareMetalHost,
  hostSchema,
  nameOf,
  rebootAnnotation,
  type writtenSchema,
} from "./host.ts";

/** The operator works towards what an object says, so a task needs no name of its own. */
const task: TaskId = "last";

/**
 * A server by Metal3's BareMetalHost on a hub. The operator boots the image that an object names, each
 * time the server starts, for as long as the object names it; it boots from the disk without one, and from
 * nothing else.
 */
export class Metal3Server implements BareMetalServer {
  readonly #api: HubApi;
  readonly #name: ReturnType<typeof nameOf>;

  constructor(api: HubApi, { namespace, name }: { namespace: string; name: string }) {
    this.#api = api;
    this.#name = nameOf(namespace, name);
  }

  async observe(asked?: TaskId): Promise<ServerObservation> {
    const host = this.#understood(await this.#api.read(this.#name));
    const booted = bootedImage(host);
    return {
      power: powerOf(host),
      ...(booted !== undefined && { media: booted, nextBoot: { from: "media", isOnce: false } }),
      ...(asked !== undefined && { task: taskOf(host) }),
    };
  }

  async identify(): Promise<ServerIdentity> {
    const { spec, status } = this.#understood(await this.#api.read(this.#name));
    const { nics = [], systemVendor: { manufacturer, productName, serialNumber } = {} } =
      status?.hardware ?? {};
    const macs = nics.map(({ mac }) => mac.toLowerCase());
    // Before its inspection a host has the one address that its object names.
    const known = spec.bootMACAddress ? [spec.bootMACAddress.toLowerCase()] : [];
    return {
      ...(serialNumber && { serial: serialNumber }),
      ...(manufacturer && { manufacturer }),
      ...(productName && { model: productName }),
      macs: macs.length > 0 ? [...new Set(macs)] : known,
    };
  }

  powerOn(): Promise<TaskId | undefined> {
    return this.#change(({ spec }) => (spec.online ? undefined : { spec: { online: true } }));
  }

  /** The operator asks the operating system first, and cuts the power when that does not help. */
  powerOff(_how: "graceful" | "forced"): Promise<TaskId | undefined> {
    return this.#change(({ spec }) => (spec.online ? { spec: { online: false } } : undefined));
  }

  powerCycle(): Promise<TaskId | undefined> {
    return this.#change(({ spec }) =>
      spec.online
        ? { metadata: { annotations: { [rebootAnnotation]: JSON.stringify({ mode: "hard" }) } } }
        : { spec: { online: true } },
    );
  }

  async bootOnce({ from }: BootSource): Promise<undefined> {
    const { spec } = this.#understood(await this.#api.read(this.#name));
    if (from === (spec.image ? "media" : "disk")) return;
    const what = { media: "no image", network: "the network", http: "a URL", disk: "the disk" };
    const now = spec.image ? "the image that its object names" : "its disk";
    const message = `Metal3 cannot boot the server from ${what[from]}: it boots from ${now}`;
    throw new AppError("Rejected", message);
  }

  insertMedia(image: string): Promise<TaskId | undefined> {
    return this.#change(({ spec }) =>
      spec.image?.url === image
        ? undefined
        : { spec: { image: { url: image, format: "live-iso" } } },
    );
  }

  ejectMedia(): Promise<TaskId | undefined> {
    return this.#change(({ spec }) => (spec.image ? { spec: { image: null } } : undefined));
  }

  async close(): Promise<void> {
    // The operator has the sessions.
  }

  async #change(patch: (host: BareMetalHost) => Patch | undefined): Promise<TaskId | undefined> {
    let isChanged = false;
    try {
      await this.#api.change(this.#name, (object) => {
        const change = patch(this.#understood(object));
        isChanged = change !== undefined;
        return change;
      });
    } catch (error) {
      if (!isKind(error, "Conflict")) throw error;
      // The operator writes often, and has written in between each time.
      throw new AppError("Unavailable", error.message, { cause: error });
    }
    return isChanged ? task : undefined;
  }

  #understood(object: KubeObject | undefined): BareMetalHost {
    const { namespace, name } = this.#name.metadata;
    if (!object)
      throw new AppError("Rejected", `the hub has no BareMetalHost ${namespace}/${name}`);
    const host = hostSchema.safeParse(object);
    if (host.success) return host.data;
    const message = "the hub's BareMetalHost makes no sense";
    throw new AppError("Unavailable", message, { detail: String(host.error) });
  }
}

type Patch = MergePatch & { spec?: Partial<z.infer<typeof writtenSchema>> };

function powerOf({ metadata, spec, status }: BareMetalHost): PowerState {
  if (!status) return "unknown";
  if (!spec.online) return status.poweredOn ? "turning_off" : "off";
  return status.poweredOn && !(rebootAnnotation in metadata.annotations) ? "on" : "turning_on";
}

/** The image that the operator has booted the server from, or is to boot it from next. */
const bootedImage = ({ status }: BareMetalHost): string | undefined =>
  status?.provisioning.state === "provisioned" ? status.provisioning.image?.url : undefined;

/** States in which the operator is done with what an object asks for. */
const settled: ReadonlySet<string> = new Set(["available", "ready", "provisioned"]);

function taskOf(host: BareMetalHost): TaskObservation {
  const { operationalStatus = "", errorMessage = "", provisioning } = host.status ?? {};
  const state = provisioning?.state ?? "";
  // The operator tries again by itself; the error goes when it succeeds.
  if (operationalStatus === "error")
    return { state: "failed", message: `Metal3 has failed: ${errorMessage}` };
  const power = powerOf(host);
  const isSettled =
    settled.has(state) &&
    (power === "on" || power === "off") &&
    (host.spec.image?.url ?? undefined) === bootedImage(host);
  return isSettled
    ? { state: "done", message: `the host is ${state}` }
    : { state: "pending", message: `the host is ${state || "new"}` };
}
