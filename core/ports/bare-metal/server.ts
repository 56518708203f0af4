import type { ErasureMethod } from "./erasure.ts";
import type { ServerFirmware } from "./firmware.ts";
import type { Identity } from "./identity.ts";

/**
 * The bare metal port: one server, as its management controller (BMC) serves it. Every call may be
 * repeated and first reads what is so; what is as desired is not asked for again. A controller does
 * most things slowly: a call returns when the controller has accepted the change, and `observe` tells
 * when it has come about.
 *
 * All throw Unavailable when the controller does not answer, asks to try later, or answers what makes no
 * sense, Rejected when it refuses, and NotFound when it does not have the server that its address names.
 */
export interface BareMetalServer {
  /**
   * Takes the server for a host, where its service has servers for others too, and brings it to where it can
   * be worked with. Throws Rejected, with what was seen, when somebody else uses it, and Unavailable until it
   * is taken. Clears what a failed erasure of this host has left. Absent where the credentials are for us alone.
   */
  take?(host: string): Promise<void>;
  /** Gives up what `take` has taken; nothing for a server that this host does not have. */
  giveUp?(host: string): Promise<void>;
  /** What the controller says now. `task` is what a change has returned, if it has returned one. */
  observe(task?: TaskId): Promise<ServerObservation>;
  /** Its names, by one cheap read: they are compared before anything is changed. */
  identity(): Promise<Identity>;
  /** Whether the server or its chassis has this serial number, under whatever name; absent where the service tells one alone. */
  bears?(serial: string): Promise<boolean>;
  /** Who the server is, as far as its controller knows. */
  identify(): Promise<ServerIdentity>;
  /** Switches the power on. */
  powerOn(): Promise<TaskId | undefined>;
  /**
   * Switches the power off: `graceful` asks the operating system to shut down, which may take minutes
   * and may not come about; `forced` cuts the power.
   */
  powerOff(how: "graceful" | "forced"): Promise<TaskId | undefined>;
  /**
   * Restarts a server by force; switches on one that is off. Asked twice, it restarts twice. For some
   * seconds after it the power may be observed as `on` as before.
   */
  powerCycle(): Promise<TaskId | undefined>;
  /** Has the next boot, and that one alone, come from this source. */
  bootOnce(source: BootSource): Promise<TaskId | undefined>;
  /** Puts this image into the virtual drive, in place of any other. `image` is a URL. */
  insertMedia(image: string): Promise<TaskId | undefined>;
  /** Empties the virtual drive; it may be empty. */
  ejectMedia(): Promise<TaskId | undefined>;
  /** What is in the server, as far as its controller counts it; absent where the service cannot be asked. */
  hardware?(): Promise<ServerHardware>;
  /** Its drives; absent where the service does not erase them one by one. */
  readonly drives?: ServerDrives;
  /** Its firmware; absent where the service updates none for us. */
  readonly firmware?: ServerFirmware;
  /** Ends the session at the controller, if there is one: controllers allow few. */
  close(): Promise<void>;
}

/** The drives of one server. */
export interface ServerDrives {
  /** The service erases all in one task, whichever is asked for, and starts the server for it by itself. */
  readonly areErasedTogether?: true;
  list(): Promise<Drive[]>;
  /**
   * Begins to erase a drive by this method; `observe` tells of the task. A task that is gone, or stays unknown, tells
   * nothing of the drive, so it has to be erased again. Asked again while that erasure continues, it answers the same
   * task, or Unavailable where the controller does not tell which task it is.
   *
   * `isAgain`: what was accepted before is lost, so its task is looked for first.
   *
   * Unavailable too while the controller cannot reach the drive: many can only while the server is on, and
   * others begin when it starts next. Throws Rejected when the drive does not offer the method.
   */
  erase(drive: DriveId, method: ErasureMethod, isAgain?: boolean): Promise<TaskId>;
}

/** The controller's own name of a drive. Who has to know a drive again keeps its serial number. */
export type DriveId = string;

export interface Drive {
  id: DriveId;
  name: string;
  serial?: string;
  /** Its World Wide Name, as `wwnIn` has it. */
  wwn?: string;
  model?: string;
  media: "ssd" | "hdd" | "unknown";
  /** How it is connected, in the controller's words, such as NVMe, SATA or SAS. */
  protocol?: string;
  bytes?: number;
  /** How it can be erased now, the strongest first; none when it cannot. */
  methods: ErasureMethod[];
  /** Present while it is being erased, if its controller shows that. */
  erasing?: { percent?: number };
}

/** What a controller counts; an absent member is one that it does not know. */
export interface ServerHardware {
  processors?: number;
  /** Of all processors together. */
  cores?: number;
  /** Bytes. */
  memory?: number;
  /** By model. Absent when the controller lists none: many do not see those that there are. */
  gpus?: { model: string; count: number }[];
}

/** The controller's own name of a change that it works on: store it, and give it to `observe`. */
export type TaskId = string;

/** Where a server boots from. `media` is the virtual drive, `http` is UEFI's HTTP boot of a URL. */
export type BootSource =
  | { from: "media" }
  | { from: "network" }
  | { from: "http"; url: string }
  | { from: "disk" };

export type PowerState = "on" | "off" | "turning_on" | "turning_off" | "unknown";

export interface ServerObservation {
  power: PowerState;
  /** Where the next boot comes from, if not from where the firmware looks by itself. */
  nextBoot?: NextBoot;
  /**
   * The URL of the image in the virtual drive; absent when it is empty. Some services insert a copy of
   * what they were given, by a URL of their own.
   */
  media?: string;
  /** The task that was asked about. */
  task?: TaskObservation;
}

export interface NextBoot {
  /** `other` is a source that this port does not name. */
  from: BootSource["from"] | "other";
  /** Whether later boots come from elsewhere again. Some controllers know no `once`. */
  isOnce: boolean;
}

export interface TaskObservation {
  /**
   * `staged`: it has not begun, and as a rule begins when the server starts next. `gone`: the controller has forgotten
   * it, as all do in time; only what is observed tells whether it came about. `unknown`: the controller has accepted it
   * and shows nothing of it; it may wait, run, have ended or never begin.
   */
  state: "staged" | "pending" | "done" | "failed" | "gone" | "unknown";
  /** What the controller says of it; for people. */
  message: string;
  /** What it goes by from now on, where more is known of it than was. */
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
