import { seconds } from "../../core/clock.ts";
import type { DriveFault } from "../bmc/hardware.ts";
import { cdSlotOf, ejectImage, insertImage, type Machine, reset } from "../bmc/machine.ts";

import { copyOf, type Provisioning, provisioned } from "./provision.ts";

/** A node: what Ironic knows of a server, and what it is doing with it. Times are simulated milliseconds. */
export interface Node {
  uuid: string;
  name: string;
  /** The id of the machine. */
  machine: string;
  /** The server's power state at Ironic's last check; null before the first check. */
  power: "power on" | "power off" | null;
  /** The time of its last check. */
  looked: number;
  error: string | null;
  /** The provision state, and the target state if any. */
  state: string;
  target: string | null;
  /** When the node entered the state. */
  updated: number | null;
  /** The UUID of its instance, from Nova or another client. */
  instance: string | null;
  maintenance?: { reason: string | null; fault: string | null };
  extra: Record<string, unknown>;
  ports: string[];
  /** The result of its last inspection. */
  inventory?: object;
  /** The steps of its last cleaning. */
  cleanSteps?: object[];
  /** The images whose copies Ironic serves, by the copies' URLs. */
  copies: Record<string, string>;
  /** The work in progress, during which the node is locked. */
  work?: Work;
}

type Work =
  | Provisioning
  | { kind: "power"; target: string; since: number }
  | { kind: "insert"; image: string; until: number; fails?: string }
  | { kind: "eject"; until: number };

const times = {
  /** Between two checks of a node's power. */
  sync: seconds(60),
  /** The time limit of a power change. */
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

/** Whether a node is locked; while Ironic waits for the ramdisk it is not. */
export const isLocked = ({ work }: Node): boolean =>
  work !== undefined && !(work.kind === "ramdisk" && work.phase !== "preparing");

/** A node and its machine, up to date with Ironic's work. */
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

/** Begins a power change; undefined for an unknown target. */
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
