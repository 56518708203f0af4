import { seconds } from "../../core/clock.ts";
import type { DriveFault } from "../bmc/hardware.ts";
import { cdSlotOf, ejectImage, insertImage, type Machine, reset } from "../bmc/machine.ts";

import { copyOf, type Provisioning, provisioned } from "./provision.ts";

/** A node: what the service knows of a server, and what it is doing to it. Simulated milliseconds. */
export interface Node {
  uuid: string;
  name: string;
  /** The id of the machine. */
  machine: string;
  /** As the service saw it last; null while it has never looked. */
  power: "power on" | "power off" | null;
  /** When it looked last. */
  looked: number;
  error: string | null;
  /** Of provision, and which one it is on the way to. */
  state: string;
  target: string | null;
  /** When it came into the state. */
  updated: number | null;
  /** Of Nova, or of whoever else has deployed to it. */
  instance: string | null;
  maintenance?: { reason: string | null; fault: string | null };
  extra: Record<string, unknown>;
  ports: string[];
  /** What its last inspection has found. */
  inventory?: object;
  /** What its last cleaning was asked to do. */
  cleanSteps?: object[];
  /** The images of which the service serves copies, by the URLs of these. */
  copies: Record<string, string>;
  /** What it works on; the node is locked meanwhile. */
  work?: Work;
}

type Work =
  | Provisioning
  | { kind: "power"; target: string; since: number }
  | { kind: "insert"; image: string; until: number; fails?: string }
  | { kind: "eject"; until: number };

const times = {
  /** Between two looks at a node's power. */
  sync: seconds(60),
  /** After it, a change of power has failed. */
  power: seconds(90),
  media: seconds(4),
};

export type NewNode = Pick<Node, "uuid" | "name" | "machine" | "ports"> &
  Partial<Pick<Node, "state">>;

export const newNode = (node: NewNode): Node => ({
  state: "manageable",
  ...node,
  ...{ power: null, looked: 0, error: null },
  ...{ target: null, updated: null, instance: null, extra: {}, copies: {} },
});

/** Whether the service lets nobody else work on a node: while it waits for the ramdisk it does. */
export const isLocked = ({ work }: Node): boolean =>
  work !== undefined && !(work.kind === "ramdisk" && work.phase !== "preparing");

/** A node and its machine after what the service has done by now. */
export interface Worked {
  node: Node;
  machine: Machine;
}

export function worked(
  node: Node,
  machine: Machine,
  now: number,
  erasureFault: (machine: Machine) => DriveFault | undefined,
): Worked {
  const { work } = node;
  if (!work) return { node: looked(node, machine, now), machine };
  if (work.kind === "verify" || work.kind === "ramdisk")
    return provisioned({ node, machine }, work, now, erasureFault);
  const { work: _, ...idle } = node;
  if (work.kind === "power") {
    const isOn = machine.power === "On" || machine.power === "PoweringOn";
    const wantsOn = !work.target.endsWith("off");
    const isThere = wantsOn ? isOn : machine.power === "Off";
    if (isThere)
      return { node: { ...idle, power: wantsOn ? "power on" : "power off", looked: now }, machine };
    if (now - work.since < times.power) return { node, machine };
    const error = `Failed to set node power state to ${work.target}: timed out`;
    return { node: { ...looked(idle, machine, now), error }, machine };
  }
  if (now < work.until) return { node, machine };
  if (work.kind === "insert" && work.fails !== undefined)
    return { node: { ...idle, error: work.fails }, machine };
  const slot = cdSlotOf(machine);
  const after =
    work.kind === "insert"
      ? insertImage(machine, slot, work.image)
      : ejectImage(machine, slot, now);
  return { node: idle, machine: after };
}

function looked(node: Node, { power }: Machine, now: number): Node {
  if (now - node.looked < times.sync) return node;
  const seen = power === "On" || power === "PoweringOn" ? "power on" : "power off";
  return { ...node, power: seen, looked: now };
}

const resets: Record<string, (machine: Machine) => string> = {
  "power on": () => "On",
  "power off": () => "ForceOff",
  rebooting: ({ power }) => (power === "Off" ? "On" : "ForceRestart"),
  "soft power off": () => "GracefulShutdown",
  "soft rebooting": () => "GracefulRestart",
};

/** Begins a change of power; undefined for a target that there is not. */
export function power({ node, machine }: Worked, target: string, now: number): Worked | undefined {
  const type = resets[target]?.(machine);
  if (type === undefined) return undefined;
  const work: Work = { kind: "power", target, since: now };
  return { node: { ...node, error: null, work }, machine: reset(machine, type, now) ?? machine };
}

export const insert = (
  { node, machine }: Worked,
  image: string,
  now: number,
  fails?: string,
): Worked => ({
  node: {
    ...node,
    error: null,
    copies: { [copyOf(node, image)]: image },
    work: {
      kind: "insert",
      image: copyOf(node, image),
      until: now + times.media,
      ...(fails !== undefined && { fails }),
    },
  },
  machine,
});

export const eject = ({ node, machine }: Worked, now: number): Worked => ({
  node: { ...node, error: null, work: { kind: "eject", until: now + times.media } },
  machine,
});
