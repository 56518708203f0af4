import { seconds } from "../../core/clock.ts";
import type { FirmwareVersions } from "../../core/ports/bare-metal/firmware.ts";
import { startedAnew } from "./firmware.ts";
import { type MachineDrive, type MachineHardware, usualDrives, usualHardware } from "./hardware.ts";
import type { Profile } from "./profile.ts";
import { bluefield, profiles, type Ways } from "./profiles.ts";
import { begun, type MachineTask, tasksEnded } from "./tasks.ts";

/** A server's hardware as its controller sees and controls it. Times are simulated milliseconds. */

export interface Machine {
  /** Its UUID. */
  id: string;
  /** The host (and port) of its controller's URL. */
  controller: string;
  vendor: Ways;
  serial: string;
  /** The UUID that its controller reports, if other than its id. */
  uuid?: string;
  macs: string[];
  hardware: MachineHardware;
  drives: MachineDrive[];
  power: "Off" | "PoweringOn" | "On" | "PoweringOff";
  /** When the current change of power ends. */
  until?: number;
  /** Whether the machine is switched on again after this power-off. */
  restarts?: true;
  boot: Override;
  /** The images in the virtual drives, by the drives' ids. */
  images: Record<string, string>;
  /** Ejected images that drives still show, and until when. */
  lingering: Record<string, { image: string; until: number }>;
  /**
   * The system that the machine has booted since power-on; absent while it is off or in its
   * self-test.
   */
  booted?: Booted;
  /** When the machine booted. */
  bootedAt?: number;
  /** The credential of its controller, if not the default. */
  credential?: Credential;
  /** Whether the credential can only open a session, and not authenticate other requests. */
  hasSessionsOnly?: true;
  /** Firmware that was written since delivery: the running versions, and the BIOS that waits for the next start. */
  firmware?: { runs?: FirmwareVersions; waits?: string };
  /** Until when its controller restarts without answering. */
  silentUntil?: number;
  tasks: MachineTask[];
}

export interface Credential {
  username: string;
  password: string;
}

export interface Override {
  enabled: "Disabled" | "Once" | "Continuous";
  target: string;
  mode: "UEFI" | "Legacy";
  uri?: string;
}

/** The boot source of a server; at `network`, its NICs are then offered a boot file. */
export type Booted =
  | { from: "media" | "http"; url: string }
  | { from: "network" }
  | { from: "disk" };

/** How long a running system takes for a requested shutdown. */
const shutdown = seconds(40);

export const profileOf = ({ vendor }: Machine): Profile =>
  vendor === "bluefield" ? bluefield : profiles[vendor];

/** The virtual drive for CDs. */
export function cdSlotOf(machine: Machine): string {
  const slots = Object.entries<readonly string[]>(profileOf(machine).media.slots);
  return slots.find(([, types]) => types.includes("CD"))?.[0] ?? "";
}

export const newMachine = (
  machine: Pick<Machine, "id" | "controller" | "vendor" | "serial" | "macs"> &
    Partial<Pick<Machine, "uuid" | "hardware" | "drives" | "credential" | "hasSessionsOnly">>,
): Machine => ({
  hardware: usualHardware,
  drives: usualDrives(machine.serial),
  ...machine,
  power: "Off",
  boot: { enabled: "Disabled", target: "None", mode: "UEFI" },
  images: {},
  lingering: {},
  tasks: [],
});

/** The next moment at which a machine changes by itself; undefined when it does not. */
export const nextChange = ({ until, tasks, lingering }: Machine): number | undefined =>
  [
    until,
    ...tasks.map(({ until, gone }) => until ?? gone),
    ...Object.values(lingering).map((each) => each.until),
  ]
    .filter((time) => time !== undefined)
    .sort((a, b) => a - b)[0];

/** The machine as it is at `now`. */
export function at(machine: Machine, now: number): Machine {
  const next = nextChange(machine);
  return next === undefined || next > now ? machine : at(changed(machine, next), now);
}

/** The machine after the changes that are due at `time`. */
function changed(before: Machine, time: number): Machine {
  const machine: Machine = {
    ...tasksEnded(before, time),
    lingering: Object.fromEntries(
      Object.entries(before.lingering).filter(([, { until }]) => until > time),
    ),
  };
  if (machine.until === undefined || machine.until > time) return machine;
  const { until: _, restarts, ...settled } = machine;
  if (machine.power === "PoweringOn") return booted({ ...settled, power: "On" }, time);
  const off: Machine = { ...settled, power: "Off" };
  return restarts ? on(off, time) : off;
}

/** The machine after its boot: from the controller's one-time override, else from its disk. */
function booted(machine: Machine, time: number): Machine {
  const { boot, images } = machine;
  const isOver = boot.enabled === "Once";
  const after: Override = isOver ? { enabled: "Disabled", target: "None", mode: boot.mode } : boot;
  const target = boot.enabled === "Disabled" ? "Hdd" : boot.target;
  const found = sourceOf(target, boot.uri, Object.values(images)[0]);
  return { ...machine, booted: found, bootedAt: time, boot: after };
}

function sourceOf(target: string, uri: string | undefined, image: string | undefined): Booted {
  if (target === "Pxe") return { from: "network" };
  if (target === "UefiHttp" && uri) return { from: "http", url: uri };
  if ((target === "Cd" || target === "UsbCd") && image) return { from: "media", url: image };
  return { from: "disk" };
}

function on(machine: Machine, now: number): Machine {
  const { booted: _, bootedAt: __, ...rest } = startedAnew(machine);
  // Staged tasks run before anything is booted.
  const tasks = machine.tasks.map((task) => begun(task, now));
  const until = Math.max(now + profileOf(machine).post, ...tasks.map((task) => task.until ?? 0));
  return { ...rest, tasks, power: "PoweringOn", until };
}

function off(machine: Machine, now: number, takes: number, restarts = false): Machine {
  const { booted: _, bootedAt: __, restarts: ___, ...rest } = machine;
  return { ...rest, power: "PoweringOff", until: now + takes, ...(restarts && { restarts: true }) };
}

/** A machine after a restart by its operating system: power stays on, and the firmware boots again. */
export const restarted = (machine: Machine, now: number): Machine =>
  machine.power === "On" ? booted(machine, now) : machine;

/** The machine after a reset of this type; undefined when the current power state does not permit it. */
export function reset(machine: Machine, type: string, now: number): Machine | undefined {
  const { power } = machine;
  const isOn = power === "On" || power === "PoweringOn";
  const takes = profileOf(machine).off;
  switch (type) {
    case "On":
    case "ForceOn":
      return power === "Off" ? on(machine, now) : undefined;
    case "ForceOff":
      return isOn || power === "PoweringOff" ? off(machine, now, takes) : undefined;
    case "GracefulShutdown":
      return isOn ? asked(machine, now) : undefined;
    case "PushPowerButton":
      return isOn ? asked(machine, now) : on(machine, now);
    case "ForceRestart":
    case "PowerCycle":
      return isOn ? off(machine, now, takes, true) : undefined;
    case "GracefulRestart":
      return power === "On" ? off(machine, now, shutdown, true) : undefined;
    default:
      return machine;
  }
}

/** A requested shutdown; firmware without a booted system ignores it. */
const asked = (machine: Machine, now: number): Machine =>
  machine.booted ? off(machine, now, shutdown) : machine;

export function insertImage(machine: Machine, slot: string, image: string): Machine {
  return { ...machine, images: { ...machine.images, [slot]: image } };
}

export function ejectImage(machine: Machine, slot: string, now: number): Machine {
  const { [slot]: image, ...images } = machine.images;
  const { lingers } = profileOf(machine);
  const shown = image !== undefined && lingers > 0 && { [slot]: { image, until: now + lingers } };
  return { ...machine, images, lingering: { ...machine.lingering, ...shown } };
}
