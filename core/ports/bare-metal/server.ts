import type { ErasureMethod } from "./erasure.ts";
import type { ServerFirmware } from "./firmware.ts";
import type { Identity } from "./identity.ts";

/**
 * The bare metal port: one server, as its management controller (BMC) serves it. Every call may be repeated:
 * it first reads the current state and requests only what differs. Controllers are slow: a call returns when
 * the controller has accepted the change, and `observe` tells when it is done.
 *
 * All throw Unavailable when the controller does not answer, asks to try later, or sends a malformed answer;
 * Rejected when it refuses; and NotFound when it does not have the server that the address names.
 */
export interface BareMetalServer {
  /**
   * Reserves the server for a host, at a service that also has servers of others, and makes it manageable.
   * Clears what a failed erasure of this host has left. Throws Rejected, with what was seen, when somebody
   * else uses the server, and Unavailable until it is reserved. Absent where Slipway alone has the
   * credentials.
   */
  take?(host: string): Promise<void>;
  /** Releases what `take` has reserved; does nothing to a server that this host does not have. */
  giveUp?(host: string): Promise<void>;
  /** The state that the controller reports. `task` is the task of a change, if the change returned one. */
  observe(task?: TaskId): Promise<ServerObservation>;
  /** The server's identifiers, by one cheap read; callers compare them before they change anything. */
  identity(): Promise<Identity>;
  /**
   * Whether the server or its chassis has this serial number, in any field; absent where the
   * service reports only one field.
   */
  bears?(serial: string): Promise<boolean>;
  /** The server's identifiers, with its model and NICs, as far as its controller reports them. */
  identify(): Promise<ServerIdentity>;
  powerOn(): Promise<TaskId | undefined>;
  /**
   * Switches the power off: `graceful` asks the operating system to shut down, which may take minutes or
   * fail; `forced` cuts the power.
   */
  powerOff(how: "graceful" | "forced"): Promise<TaskId | undefined>;
  /**
   * Forces a restart; switches on a server that is off. Two calls restart twice. For some seconds the power
   * may still be observed as `on`.
   */
  powerCycle(): Promise<TaskId | undefined>;
  /** Sets the source of the next boot only. */
  bootOnce(source: BootSource): Promise<TaskId | undefined>;
  /** Inserts this image into the virtual drive and replaces any other. `image` is a URL. */
  insertMedia(image: string): Promise<TaskId | undefined>;
  /** Ejects the image of the virtual drive; succeeds if it is empty. */
  ejectMedia(): Promise<TaskId | undefined>;
  /** The hardware that the controller reports; absent where the service cannot be asked. */
  hardware?(): Promise<ServerHardware>;
  /** The server's drives; absent where the service does not erase single drives. */
  readonly drives?: ServerDrives;
  /** The server's firmware; absent where the service does not update it for Slipway. */
  readonly firmware?: ServerFirmware;
  /** Ends the session at the controller, if any: controllers allow few. */
  close(): Promise<void>;
}

export interface ServerDrives {
  /** The service erases all drives in one task, whichever is named, and starts the server for it. */
  readonly areErasedTogether?: true;
  list(): Promise<Drive[]>;
  /**
   * Begins to erase a drive by this method; `observe` reports the task. A task that is `gone` or stays
   * `unknown` proves nothing about the drive, so the drive has to be erased again. A repeated call during the
   * erasure answers the same task, or throws Unavailable where the controller does not tell which task it is.
   *
   * `isAgain`: an earlier call may have been accepted and its answer lost, so its task is searched for first.
   *
   * Also throws Unavailable while the controller cannot reach the drive: many can only while the server is
   * on, and others begin at its next start. Throws Rejected when the drive does not offer the method.
   */
  erase(drive: DriveId, method: ErasureMethod, isAgain?: boolean): Promise<TaskId>;
}

/** The controller's own name of a drive. It may change: to recognize a drive, store its serial number. */
export type DriveId = string;

export interface Drive {
  id: DriveId;
  name: string;
  serial?: string;
  /** The drive's World Wide Name, normalized by `wwnIn`. */
  wwn?: string;
  model?: string;
  media: "ssd" | "hdd" | "unknown";
  /** The protocol in the controller's words, such as NVMe, SATA or SAS. */
  protocol?: string;
  bytes?: number;
  /** The methods that can erase it now, the strongest first; empty when none can. */
  methods: ErasureMethod[];
  /** Present during an erasure, if the controller shows that. */
  erasing?: { percent?: number };
}

/** The hardware that a controller reports; unknown members are absent. */
export interface ServerHardware {
  processors?: number;
  /** The sum of all processors. */
  cores?: number;
  /** Bytes. */
  memory?: number;
  /** By model. Absent when the controller lists none: many do not see installed GPUs. */
  gpus?: { model: string; count: number }[];
}

/** The controller's own name of a change in progress: store it, and pass it to `observe`. */
export type TaskId = string;

/** Where a server boots from. `media` is the virtual drive, `http` is UEFI HTTP boot of a URL. */
export type BootSource =
  | { from: "media" }
  | { from: "network" }
  | { from: "http"; url: string }
  | { from: "disk" };

export type PowerState = "on" | "off" | "turning_on" | "turning_off" | "unknown";

export interface ServerObservation {
  power: PowerState;
  /** The source of the next boot; absent for the firmware's default. */
  nextBoot?: NextBoot;
  /**
   * The URL of the image in the virtual drive; absent when it is empty. Some services insert a copy of the
   * image, under a URL of their own.
   */
  media?: string;
  /** The state of the task that the caller named. */
  task?: TaskObservation;
}

export interface NextBoot {
  /** `other` is a source that this port does not name. */
  from: BootSource["from"] | "other";
  /** Whether later boots use the default source again. Some controllers do not support `once`. */
  isOnce: boolean;
}

export interface TaskObservation {
  /**
   * `staged`: it has not begun, and usually begins when the server starts next. `gone`: the controller has
   * forgotten it, as all do in time; only the observed state tells whether it succeeded. `unknown`: the
   * controller has accepted it and does not show it; it may wait, run, have ended or never begin.
   */
  state: "staged" | "pending" | "done" | "failed" | "gone" | "unknown";
  /** The controller's message, for people to read. */
  message: string;
  /** The task's id from now on, if it has changed. */
  as?: TaskId;
}

export interface ServerIdentity {
  uuid?: string;
  serial?: string;
  manufacturer?: string;
  model?: string;
  /** MAC addresses in lower case, in the controller's order. */
  macs: string[];
}
