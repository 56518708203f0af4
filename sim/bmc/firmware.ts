import { minutes } from "../../core/clock.ts";
import type { FirmwareComponent, FirmwareVersions } from "../../core/ports/bare-metal/firmware.ts";
import type { Machine } from "./machine.ts";
import type { MachineTask } from "./tasks.ts";

/**
 * Faults of an update: `fails`: its task fails at the end; `stays`: its task succeeds, and the version stays the same.
 */
export const firmwareFaults = ["fails", "stays"] as const;
export type FirmwareFault = (typeof firmwareFaults)[number];

/** The firmware versions of a new machine. */
export const shipped = { bmc: "7.00", bios: "1.0.0" } as const satisfies FirmwareVersions;

/** The versions that run now. */
export const versionsOf = ({ firmware }: Pick<Machine, "firmware">) => ({
  ...shipped,
  ...firmware?.runs,
});

const takes: Record<FirmwareComponent, number> = { bmc: minutes(4), bios: minutes(5) };
/** How long a controller does not answer during its restart. */
const controllerRestart = minutes(2);

/** The component and version in a file name such as `bios-1.2.3.bin`; undefined for any other name. */
function imageIn(url: string): { component: FirmwareComponent; version: string } | undefined {
  const { component, version } = /\/(?<component>bmc|bios)-(?<version>[\w.]+)\.bin$/.exec(url)
    ?.groups ?? { component: "" };
  if (version === undefined || (component !== "bmc" && component !== "bios")) return undefined;
  return { component, version };
}

/** The task of an update. An image for no component fails only after it was read. */
export function updateTask(
  id: string,
  image: string,
  now: number,
  fault: FirmwareFault | undefined,
): MachineTask {
  const known = imageIn(image);
  const writes = known ?? { component: "bmc" as const, version: "" };
  const why = { fails: "The image could not be written.", stays: undefined };
  const fails = known ? fault && why[fault] : "The image is not one for this system.";
  return {
    ...{ id, from: now, takes: takes[writes.component], writes },
    ...(fault === "stays" && { lies: true }),
    ...(fails !== undefined && { fails }),
  };
}

/** The machine after a firmware update has ended, successfully or not. */
export function updated(machine: Machine, task: MachineTask, time: number): Machine {
  const { writes, fails, lies, since } = task;
  if (!writes || fails !== undefined || lies) return machine;
  const { component, version } = writes;
  if (component === "bmc") return runs(restartedController(machine, time), { bmc: version });
  // A staged update is written before the server boots.
  const isAtStart = since !== undefined && since > task.from;
  if (isAtStart) return runs(machine, { bios: version });
  return { ...machine, firmware: { ...machine.firmware, waits: version } };
}

const runs = (machine: Machine, versions: FirmwareVersions): Machine => ({
  ...machine,
  firmware: { ...machine.firmware, runs: { ...machine.firmware?.runs, ...versions } },
});

/** The machine at power-on: it runs the staged firmware. */
export function startedAnew(machine: Machine): Machine {
  const { waits, ...rest } = machine.firmware ?? {};
  return waits === undefined ? machine : runs({ ...machine, firmware: rest }, { bios: waits });
}

export const restartedController = (machine: Machine, now: number): Machine => ({
  ...machine,
  silentUntil: now + controllerRestart,
});
