/**
 * The bare metal port: one server, as its management controller (BMC) serves it. Every call may be
 * repeated and first reads what is so; what is as wanted is not asked for again. A controller does
 * most things slowly: a call returns when the controller has accepted the change, and `observe` tells
 * when it has come about.
 *
 * All throw Unavailable when the controller does not answer, asks to try later, or answers what makes no
 * sense, and Rejected when it refuses.
 */
export interface BareMetalServer {
  /** What the controller says now. `task` is what a change has returned, if it has returned one. */
  observe(task?: TaskId): Promise<ServerObservation>;
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
  /** Ends the session at the controller, if there is one: controllers allow few. */
  close(): Promise<void>;
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
   * `gone`: the controller has forgotten it, as all do in time; only what is observed tells whether it
   * came about.
   */
  state: "pending" | "done" | "failed" | "gone";
  /** What the controller says of it; for people. */
  message: string;
}

export interface ServerIdentity {
  uuid?: string;
  serial?: string;
  manufacturer?: string;
  model?: string;
  /** MAC addresses in lower case, in the controller's order. */
  macs: string[];
}
