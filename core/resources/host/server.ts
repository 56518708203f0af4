import { bounds, cut } from "../../bounds.ts";
import { AppError } from "../../error.ts";
import type { OperationId } from "../../id.ts";
import type { Start } from "../../machine/boot.ts";
import type { ErasureMethod } from "../../ports/bare-metal/erasure.ts";
import type { FirmwareComponent } from "../../ports/bare-metal/firmware.ts";
import type { PowerState, TaskId } from "../../ports/bare-metal/server.ts";
import type { ServerAddress } from "../../ports/bare-metal/servers.ts";
import type { Host } from "./model.ts";

/**
 * The record of a server whose power Slipway manages: what it was brought to, and what the sagas of
 * hosts have seen of it.
 */
export interface ServerRecord {
  condition: ServerCondition;
  /** The work that the present operation does, or that the last one did. */
  work?: HostWork;
  /** What its controller said last. */
  seen?: { power: PowerState; hasMedia: boolean; at: string };
  /** When the present operation has last set it to boot the discovery image, to have its drives erased. */
  bootSet?: string;
  /** When it was last switched on for that. */
  started?: string;
  /** Since when it has been asked to be switched on, and has stayed off. */
  asked?: string;
  /** Its discovery takes so long that the pool does not count on it. */
  isLate?: true;
  /** The present boot into the discovery image. */
  boot?: Start;
  /** The update of its firmware. */
  update?: ServerUpdate;
  /** Its drives, each as it was last erased or as it is being erased. */
  drives?: DriveRecord[];
  /** How the hardware that its agent reports differs from what its type promises. */
  differences?: ServerDifference[];
  /** Why it is quarantined until a person decides. */
  quarantine?: Quarantine;
  /** It is out of service for good. */
  isRetired?: true;
  /** It counts among the hosts of its hub no more. Absent of one that was retired before that was so. */
  isUncounted?: true;
}

/**
 * `UNKNOWN`: nobody knows what is on its drives. `USED`: an owner has had it. `CLEAN`: its drives are
 * erased. `READY`: it is erased, runs the discovery image, and its hardware is as its type promises.
 */
export const serverConditions = ["UNKNOWN", "USED", "CLEAN", "READY"] as const;
export type ServerCondition = (typeof serverConditions)[number];

export const hostWorks = ["discover", "clean", "switch_off", "update_firmware"] as const;
export type HostWork = (typeof hostWorks)[number];

export interface ServerUpdate {
  /** The operation that works on it. */
  operation: OperationId;
  /** What is updated now, to this version. */
  of?: { component: FirmwareComponent; version: string };
  /** The number of this try, from 1. */
  number: number;
  phase: "checking" | "asking" | "writing" | "starting" | "resting" | "done" | "failed";
  /** When the phase began. */
  at: string;
  /** The controller's name of what writes the image, if it has one. */
  task?: TaskId;
  /** The server, or the controller, was started for what was written. */
  isStarted?: true;
  /** What the controller says of it, or why the last try has failed; for people. */
  said?: string;
}

export const driveStates = ["waiting", "pending", "done", "failed"] as const;

export interface DriveRecord {
  id: string;
  name: string;
  serial?: string;
  wwn?: string;
  method: ErasureMethod;
  /** `waiting`: it begins once the server is started. */
  state: (typeof driveStates)[number];
  /** What the controller says of it; for people. */
  message: string;
  /** The controller's name of the erasure, while it is under way. */
  task?: TaskId;
  /** How often its erasure has begun. */
  begun?: number;
  /** When its erasure was requested last. */
  requested?: string;
  /** When it was found done. */
  at?: string;
}

/** One member of the hardware that is not as it should be, in words. */
export interface ServerDifference {
  field: string;
  expected: string;
  seen: string;
}

export interface Quarantine {
  since: string;
  /** The step that failed; absent where a person has set the server aside. */
  step?: string;
  /** What was expected and what was seen, in words. */
  reason: string;
  /** The operation that has proved it off because a DPU did not tell that it is isolated. */
  isolated_by?: string;
}

/** What the records of a server's drives may take of its host, in bytes of JSON. */
const drivesBytes = 64 * 1024;

/** The records as they are kept. Throws Rejected for too many: one that is left out would not be erased. */
export function drivesToKeep(records: readonly DriveRecord[]): DriveRecord[] {
  const drives = records.map((each) => ({ ...each, message: cut(each.message, bounds.line) }));
  const bytes = Buffer.byteLength(JSON.stringify(drives));
  if (bytes <= drivesBytes) return drives;
  throw new AppError(
    "Rejected",
    `expected drives that ${drivesBytes} bytes can describe; the server's controller has reported ${drives.length}, in ${bytes} bytes`,
  );
}

/** Where the controller of a host's server is. */
export const controllerOf = ({ id, spec: { hub, bmc } }: Host): ServerAddress => ({ id, hub, bmc });

export const serverOf = ({ server = { condition: "UNKNOWN" } }: Host): ServerRecord => server;

/** Whether nobody has written on the drives of a host's server since they were erased. */
export function isErased(host: Host): boolean {
  const { condition } = serverOf(host);
  return condition === "CLEAN" || condition === "READY";
}

/** The host with these members of its server's record changed; undefined removes one. */
export function withServer(
  host: Host,
  changes: { [Member in keyof ServerRecord]?: ServerRecord[Member] | undefined },
): Host {
  const { condition, ...rest } = { ...serverOf(host), ...changes };
  const members = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    ...host,
    server: { condition: condition ?? "UNKNOWN", ...Object.fromEntries(members) },
  };
}
