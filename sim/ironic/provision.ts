import { minutes, seconds } from "../../core/clock.ts";
import { type DriveFault, erasureTakes, type MachineDrive, wwnOf } from "../bmc/hardware.ts";
import { cdSlotOf, ejectImage, insertImage, type Machine, reset } from "../bmc/machine.ts";
import type { Node, Worked } from "./node.ts";

/** The provision states of a node, and Ironic's work between them. Times are simulated milliseconds. */

/** Ironic's work in a transitional state; the ramdisk inspects or cleans. */
export type Provisioning =
  | { kind: "verify"; until: number }
  | {
      kind: "ramdisk";
      does: "inspect" | "clean";
      phase: "preparing" | "booting" | "running";
      since: number;
    };

const times = {
  verify: seconds(10),
  /** From the request to the power-on of the server. */
  preparing: seconds(20),
  /** From the boot of the ramdisk to its agent's first call. */
  agent: minutes(2),
  /** The time limit of that call. */
  patience: minutes(30),
  inspection: minutes(1),
};

const statesOf = {
  inspect: { works: "inspecting", waits: "inspect wait", failed: "inspect failed" },
  clean: { works: "cleaning", waits: "clean wait", failed: "clean failed" },
} as const;

const images = "http://ironic.test:8080/redfish";
const ramdiskOf = ({ uuid }: Pick<Node, "uuid">): string => `${images}/boot-${uuid}.iso`;
/** Whether an image is Ironic's ramdisk, whose agent reports only to Ironic. */
export const isRamdisk = (image: string): boolean => image.startsWith(`${images}/boot-`);
/** The URL of the copy of an image that Ironic serves to a node's controller. */
export function copyOf({ uuid }: Pick<Node, "uuid">, image: string): string {
  const name = new URL(image).pathname
    .split("/")
    .at(-1)
    ?.replace(/\.iso$/, "");
  return `${images}/${name}-${uuid}.iso`;
}

const entered = (node: Node, state: string, now: number): Node => {
  const { work: _, ...rest } = node;
  return { ...rest, state, target: null, updated: now };
};

/** Begins a change to a target; undefined where the node's state does not permit it. */
export function provision(node: Node, target: string, now: number): Node | undefined {
  const at = (state: string, work: Provisioning): Node => ({
    ...node,
    ...{ state, target: "manageable", updated: now, error: null, work },
  });
  const ramdisk = (does: "inspect" | "clean") =>
    at(statesOf[does].works, { kind: "ramdisk", does, phase: "preparing", since: now });
  switch (`${target} ${node.state}`) {
    case "manage enroll":
      return at("verifying", { kind: "verify", until: now + times.verify });
    case "manage available":
    case "manage clean failed":
    case "manage inspect failed":
      return entered(node, "manageable", now);
    case "provide manageable":
      return entered(node, "available", now);
    case "inspect manageable":
      return ramdisk("inspect");
    case "clean manageable":
      return ramdisk("clean");
    case "abort clean wait":
      return { ...entered(node, "clean failed", now), error: "By request, the clean was aborted" };
    default:
      return undefined;
  }
}

/** A node and its machine after the provisioning work that is done by now. */
export function provisioned(
  { node, machine }: Worked,
  work: Provisioning,
  now: number,
  erasureFault: (machine: Machine) => DriveFault | undefined,
): Worked {
  if (work.kind === "verify")
    return now < work.until
      ? { node, machine }
      : {
          node: { ...entered(node, "manageable", now), power: seenOf(machine), looked: now },
          machine,
        };
  const { does, phase, since } = work;
  const slot = cdSlotOf(machine);
  if (phase === "preparing") {
    if (now < since + times.preparing) return { node, machine };
    const loaded: Machine = {
      ...insertImage(machine, slot, ramdiskOf(node)),
      boot: { enabled: "Once", target: "Cd", mode: "UEFI" },
    };
    const started = reset(loaded, machine.power === "Off" ? "On" : "ForceRestart", now);
    if (!started) return { node, machine };
    const next: Provisioning = { ...work, phase: "booting", since: now };
    return {
      node: { ...node, state: statesOf[does].waits, updated: now, power: "power on", work: next },
      machine: started,
    };
  }
  const ended = (after: Partial<Node>, drives = machine.drives): Worked => {
    const empty = ejectImage({ ...machine, drives }, slot, now);
    const off = reset(empty, "ForceOff", now) ?? empty;
    return {
      node: { ...entered(node, "manageable", now), power: "power off", looked: now, ...after },
      machine: off,
    };
  };
  const { failed } = statesOf[does];
  if (phase === "booting") {
    const { booted, bootedAt } = machine;
    const isUp = booted?.from === "media" && booted.url === ramdiskOf(node);
    if (isUp && bootedAt !== undefined && now >= bootedAt + times.agent)
      return { node: { ...node, work: { ...work, phase: "running", since: now } }, machine };
    if (now < since + times.patience) return { node, machine };
    return ended({ state: failed, error: `Timeout reached while ${failed.split(" ")[0]}ing` });
  }
  if (does === "inspect") {
    if (now < since + times.inspection) return { node, machine };
    return ended({ inventory: inventoryOf(machine) });
  }
  if (now < since + Math.max(0, ...machine.drives.map(takesOf))) return { node, machine };
  const drives = machine.drives.map((drive) => {
    const fault = drive.fault ?? erasureFault(machine);
    return { drive, isBroken: fault === "refuses" || fault === "fails", lies: fault === "lies" };
  });
  const broken = drives.find(({ isBroken }) => isBroken);
  const after = drives.map(({ drive, isBroken, lies }) => {
    const { written, ...blank } = drive;
    return (isBroken || lies) && written !== undefined ? { ...blank, written } : blank;
  });
  if (!broken) return ended({}, after);
  const error = `Agent returned error for clean step {'interface': 'deploy', 'step': 'erase_devices'} on node ${node.uuid}: Failed to erase the device ${deviceOf(broken.drive, machine.drives.indexOf(broken.drive))}.`;
  const maintenance = { reason: error, fault: "clean failure" };
  return ended({ state: failed, error, maintenance }, after);
}

const seenOf = ({ power }: Machine) =>
  power === "On" || power === "PoweringOn" ? "power on" : "power off";

/** The ramdisk uses the drive's own method, or overwrites a drive that has none. */
const takesOf = ({ methods }: MachineDrive): number => erasureTakes[methods[0] ?? "overwrite"];

const deviceOf = ({ protocol }: MachineDrive, index: number): string =>
  protocol === "NVMe" ? `/dev/nvme${index}n1` : `/dev/sd${String.fromCharCode(97 + index)}`;

const wwnIn = (drive: MachineDrive): string | null => {
  const wwn = wwnOf(drive);
  return wwn === undefined ? null : `0x${wwn}`;
};

/** The ramdisk agent's inventory of a machine. */
const inventoryOf = ({ hardware, drives, macs }: Machine): object => ({
  cpu: { count: hardware.cores * 2, socket_count: hardware.cpus, architecture: "x86_64" },
  memory: { physical_mb: hardware.memory / 2 ** 20, total: hardware.memory },
  disks: drives.map((drive, index) => ({
    name: deviceOf(drive, index),
    ...{ model: drive.model, serial: drive.serial, wwn: wwnIn(drive), size: drive.bytes },
    rotational: drive.media === "HDD",
  })),
  interfaces: macs.map((mac_address, index) => ({ name: `eno${index + 1}`, mac_address })),
});
